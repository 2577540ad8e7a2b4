import { cellWidth } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';
import type { Tab } from './tabs.ts';

/** One row with the names of all sections; in a narrow one without counts, and at last with numbers for the others. */
export function tabBar(tabs: readonly Tab[], active: Tab, cols: number, theme: Theme): string {
  const painted = (text: string, tab: Tab) => (tab === active ? theme.selected(theme.bold(text)) : theme.quiet(text));
  const numbered = (tab: Tab, index: number) => `${index + 1} ${tab.label()}`;
  const forms = [
    tabs.map((tab, index) => painted(` ${numbered(tab, index)} `, tab)).join(''),
    tabs.map((tab, index) => painted(numbered(tab, index).replace(/ \d+$/, ''), tab)).join(' '),
    tabs.map((tab, index) => painted(tab === active ? numbered(tab, index) : `${index + 1}`, tab)).join(' '),
  ];
  return forms.find((form) => cellWidth(form) <= cols) ?? forms.at(-1) ?? '';
}
