// npm run bench [-- --json] [-- NAME…]: measures Curfew side by side with its comparisons, in its
// own pid namespace, prints a table of ratios (or one JSON document) and writes plots to
// build/out/bench.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { environmentInside, findNamespace } from '../../build/scripts/pid-namespace.ts';
import type { Findings } from './bench.ts';
import { keepsBar } from './bench.ts';
import { svgOf } from './plot.ts';
import { tableOf } from './table.ts';

interface Report {
  readonly machine: {
    readonly kernel: string;
    readonly cores: number;
    readonly processor: string;
    readonly node: string;
  };
  /** How long each took. */
  readonly seconds: Readonly<Record<string, number>>;
  /** Failed benches; their errors are on standard error. */
  readonly failed: readonly string[];
  readonly findings: Readonly<Record<string, Findings>>;
}

const output = join(import.meta.dirname, '../../build/out/bench');

const measure = async (command: string, args: readonly string[], names: readonly string[]): Promise<string> => {
  const home = mkdtempSync(join(tmpdir(), 'curfew-bench-home-'));
  try {
    const child = spawn(command, [...args, process.execPath, join(import.meta.dirname, 'inside.ts'), ...names], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: environmentInside(home),
    });
    // unshare ignores INT and TERM; KILL ends it with everything inside.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill('SIGKILL'));
    const printed = await text(child.stdout);
    if (printed === '') throw new Error('The measuring ended without a result; what it said stands above.');
    return printed;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

const tablesOf = (findings: Report['findings']): string =>
  Object.values(findings)
    .map(({ figures }) => `${tableOf(figures)}\n`)
    .join('\n');

const show = ({ machine, seconds, failed, findings }: Report): void => {
  console.log(`Linux ${machine.kernel}, ${machine.cores} cores (${machine.processor}), Node ${machine.node}\n`);
  console.log(tablesOf(findings));
  const missed = Object.values(findings).flatMap(({ figures }) => figures.filter((figure) => !keepsBar(figure)));
  console.log(missed.length === 0 ? 'Every bar is kept.' : `${missed.length} bars are missed.`);
  const took = Object.entries(seconds).map(([name, each]) => `${name} ${each.toFixed(0)} s`);
  const whole = Object.values(seconds).reduce((sum, each) => sum + each, 0);
  console.log(`It took ${(whole / 60).toFixed(1)} minutes: ${took.join(', ')}.`);
  if (failed.length > 0) console.log(`NOT measured, because they broke off: ${failed.join(', ')}.`);
};

const run = async (json: boolean, names: readonly string[]): Promise<void> => {
  const namespace = findNamespace();
  if (!namespace.possible) {
    console.error(`bench: it starts and ends thousands of processes, so it needs a pid namespace of its own, and none can be made here:
  ${namespace.reason}
Run it as root, or where a user may make one (Debian: sysctl kernel.unprivileged_userns_clone=1; in a container: --privileged).`);
    process.exitCode = 77;
    return;
  }
  const printed = await measure(namespace.command, namespace.args, names);
  const report = JSON.parse(printed) as Report;
  mkdirSync(output, { recursive: true });
  writeFileSync(join(output, 'bench.json'), printed);
  writeFileSync(join(output, 'bench.txt'), tablesOf(report.findings));
  for (const plot of Object.values(report.findings).flatMap(({ plots }) => plots)) {
    const file = join(output, `${plot.file}.svg`);
    writeFileSync(file, svgOf(plot));
    console.error(`bench: plot in ${file}`);
  }
  if (json) process.stdout.write(printed);
  else show(report);
  if (report.failed.length > 0) process.exitCode = 1;
};

try {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  await run(values.json, positionals);
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
