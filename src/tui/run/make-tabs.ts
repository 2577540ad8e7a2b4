// The sections of the run view, in the order of their numbers.
import type { RunDetail } from '../../core/run.ts';
import type { Desk, Size } from '../screen.ts';
import { fit } from '../text/cells.ts';
import { decisionTabRows } from './decision-tab-rows.ts';
import { DiffTab } from './diff-tab.ts';
import { historyRows } from './history-rows.ts';
import { pairRows } from './image-rows.ts';
import { ImageCache } from './images.ts';
import { artifactItems, evidenceItems } from './items.ts';
import { ListTab } from './list-tab.ts';
import { OutputCache } from './output-cache.ts';
import type { RunData } from './run-data.ts';
import type { Tab, TabName } from './tabs.ts';
import { TextTab } from './text-tab.ts';
import { timelineTab } from './timeline-tab.ts';
import { whyRows } from './why-rows.ts';

/** `liveRows`: the run's screen, where it belongs below the summary. */
export function makeTabs(desk: Desk, data: RunData, liveRows: () => readonly string[] | null): readonly Tab[] {
  const { theme } = desk;
  const images = new ImageCache(() => desk.repaintSoon());
  const outputs = new OutputCache(() => desk.repaintSoon());
  /** Of what needs the details of a run, until they are there. */
  const detailed = (name: TabName, label: string, rows: (detail: RunDetail, size: Size) => readonly string[]) =>
    new TextTab(
      name,
      () => label,
      theme,
      (size) => {
        if (data.detail !== null) return rows(data.detail, size);
        return ['', data.failure === null ? theme.quiet(' reading...') : theme.bad(fit(` ${data.failure}`, size.cols))];
      },
    );
  return [
    new TextTab(
      'decision',
      () => decisionLabel(data),
      theme,
      (size) => decisionTabRows(data, images, size, theme, liveRows()),
    ),
    new DiffTab(data, theme),
    new ListTab('artifacts', 'Artifacts', 'no artifact yet', theme, () => artifactItems(data, theme)),
    new ListTab('evidence', 'Evidence', 'no evidence yet', theme, () =>
      evidenceItems(data.detail, images, outputs, theme),
    ),
    detailed('images', 'Images', (detail, size) => {
      const rows = pairRows(detail, images, size, theme);
      const none = ' no images: the change is not visible, or verification has not begun';
      return rows.length === 0 ? ['', theme.quiet(none)] : rows;
    }),
    detailed('history', 'History', (detail, { cols }) => historyRows(detail, cols, theme)),
    new TextTab(
      'screen',
      () => 'Screen',
      theme,
      ({ cols }) => {
        const none = ' no live screen: no session is alive, or it has not answered yet';
        return desk.preview.screen(data.id)?.map((row) => fit(row, cols)) ?? ['', theme.quiet(none)];
      },
    ),
    new TextTab(
      'why',
      () => 'Why',
      theme,
      ({ cols }) => whyRows(data.detail ?? data.run, data.detail, cols, theme),
    ),
    timelineTab(data, theme),
  ];
}

function decisionLabel({ detail, run }: RunData): string {
  if (detail?.gate?.name === 'development') return 'Proposal';
  if (detail?.gate?.name === 'testing') return 'Package';
  return run.stage === 'halted' ? 'Halted' : 'Summary';
}
