// Preloaded into a host (`node --import`): how late its event loop was between two SIGUSR2. Costs nothing before the
// first and after the second.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const file = process.env['GATEHOUSE_BENCH_LOOP'];
/** Part of every value that is measured. */
const resolution = 2;
let histogram: ReturnType<typeof monitorEventLoopDelay> | null = null;

process.on('SIGUSR2', () => {
  if (histogram === null) {
    histogram = monitorEventLoopDelay({ resolution });
    histogram.enable();
    return;
  }
  histogram.disable();
  const lateMs = (percentile: number): number =>
    Math.max(0, (histogram?.percentile(percentile) ?? 0) / 1e6 - resolution);
  if (file !== undefined) writeFileSync(file, JSON.stringify({ p50: lateMs(50), p99: lateMs(99) }));
  histogram = null;
});
