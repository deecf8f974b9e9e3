// Preloaded into a Node under measurement (`node --import … `): measures the delay of its event
// loop, and at each USR2 writes the measurements since the last one into the file that
// CURFEW_BENCH_LOOP names.
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const file = process.env['CURFEW_BENCH_LOOP'];
if (file === undefined) throw new Error('CURFEW_BENCH_LOOP names no file');
/**
 * The interval of the measuring timer in ms; the histogram includes it
 * (https://nodejs.org/api/perf_hooks.html#perf_hooksmonitoreventloopdelayoptions).
 */
const resolution = 5;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();

const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolution);

process.on('SIGUSR2', () => {
  const seen = {
    count: delay.count,
    p50: late(delay.percentile(50)),
    p99: late(delay.percentile(99)),
    most: late(delay.max),
  };
  delay.reset();
  writeFileSync(`${file}.new`, JSON.stringify(seen));
  renameSync(`${file}.new`, file);
});
