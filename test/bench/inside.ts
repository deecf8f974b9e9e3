// The part of `npm run bench` inside its pid namespace: runs every bench, or the named ones, then
// prints one JSON document.
import { cpus, release } from 'node:os';
import { requirePidNamespace } from '../os/namespace.ts';
import type { Findings } from './bench.ts';
import { benches } from './benches.ts';

requirePidNamespace();

const findings: Record<string, Findings> = {};
const seconds: Record<string, number> = {};
const failed: string[] = [];
const wanted = new Set(process.argv.slice(2));
const unknown = [...wanted].filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) throw new Error(`There is no bench ${unknown.join(', ')}`);
for (const bench of benches) {
  if (wanted.size > 0 && !wanted.has(bench.name)) continue;
  const beganMs = performance.now();
  const progress = (text: string): void => {
    console.error(`bench ${bench.name}: ${text}`);
  };
  try {
    findings[bench.name] = await bench.run(progress);
  } catch (error) {
    // The other figures must not be lost for it; standard error reports it.
    progress(`FAILED: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    failed.push(bench.name);
  }
  seconds[bench.name] = (performance.now() - beganMs) / 1000;
}
const machine = { kernel: release(), cores: cpus().length, processor: cpus()[0]?.model ?? '', node: process.version };
console.log(JSON.stringify({ schema: 1, at: new Date().toISOString(), machine, seconds, failed, findings }));
