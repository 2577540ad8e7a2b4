import stringWidth from 'string-width';
import { age } from '../../core/activity.ts';
import { inertLine } from '../../core/inert.ts';
import type { RunSummary } from '../../core/run.ts';
import { stageCount } from '../../core/stage.ts';
import { withClient } from '../connect.ts';
import { exitDone, say, sayJson, table } from '../output.ts';

export function list(home: string | undefined, options: { json?: boolean; needsMe?: boolean }): Promise<number> {
  return withClient(home, async (client) => {
    const { runs } = await client.request('runs.list', {});
    const shown = options.needsMe ? runs.filter((run) => run.needsMe) : runs;
    if (options.json) sayJson(shown);
    else if (shown.length === 0)
      say(runs.length === 0 ? 'no runs; start one with: gatehouse start TASK --repo DIR' : 'no run needs you');
    else say(table([header, ...shown.map((run) => row(run, Date.now()))], stringWidth));
    return exitDone;
  });
}

const header = ['', 'RUN', 'STAGE', '', 'REVIEWS', 'ACTIVITY', 'FOR', 'WAITS FOR', 'TITLE'];

/** Which dialog; what it says is in `show`. */
function asks(run: RunSummary): string | null {
  return run.activity === 'blocked' ? (run.activityReason.split(':')[0] ?? null) : null;
}

function row(run: RunSummary, now: number): string[] {
  return [
    run.needsMe ? '!' : ' ',
    run.id,
    run.stage,
    `${run.stageNumber}/${stageCount}`,
    `${run.reviewCount}/${run.reviewLimit}`,
    run.activity,
    age(now - Date.parse(run.since)),
    inertLine(run.halt ?? run.pendingToken ?? asks(run) ?? '-').slice(0, 40),
    inertLine(run.task.title),
  ];
}
