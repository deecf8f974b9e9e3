// node build/scripts/in-namespace.ts node test/os/run/agent-figures.ts: measures a tool call under
// `curfew agent` beside one without, and writes docs/records/agent-calls.md.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirePidNamespace } from '../namespace.ts';
import { Home } from './curfew-run.ts';

requirePidNamespace();
const [rounds, calls] = [15, 300];
const home = new Home();

/** Starts a shell so often, one after the other, and prints the microseconds of one. */
const script = `use Time::HiRes "time"; my ($n, @c) = @ARGV; my $t = time; for (1 .. $n) { my $p = fork // die; if (!$p) { exec @c; exit 9 } waitpid $p, 0; $? == 0 or die "failed" } printf "%.1f\\n", (time - $t) / $n * 1e6`;

const play = async (under: boolean, call: readonly string[]): Promise<number> => {
  const command = ['perl', '-e', script, String(calls), ...call];
  const started = under
    ? home.curfew(['agent', '--', ...command], { env: { XDG_RUNTIME_DIR: '' } })
    : home.start(command[0] ?? '', command.slice(1));
  const { code, stdout, stderr } = await started.ended;
  if (code !== 0 || stderr !== '') throw new Error(`${code}: ${stderr}`);
  return Number(stdout);
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const call = ['sh', '-c', ':'];
const [without, within]: [number[], number[]] = [[], []];
for (let round = 0; round < rounds; round += 1) {
  // In turns, so that both see the same load.
  without.push(await play(false, call));
  within.push(await play(true, call));
}
const ratios = within.map((one, at) => one / (without[at] ?? 1));
const folder = join(home.path, 'curfew/agents');
const kept = existsSync(folder) ? readdirSync(folder) : [];
const groups = kept.flatMap((name) => readFileSync(join(folder, name), 'utf8').match(/"hierarchy": "[^"]*"/gu) ?? []);
if (groups.length === 0) throw new Error('the agent had no control group');
writeFileSync(
  join(import.meta.dirname, '../../../docs/records/agent-calls.md'),
  `# A tool call under \`curfew agent\`: the record

Written by \`npm run measure:agent\` on ${new Date().toISOString().slice(0, 10)}: ${rounds} rounds in turns of ${calls} calls of \`sh -c :\`, on one machine that did other things as well. The agent is a perl that starts them, in a control group of version 2 of its own.

| what | median of a call |
|---|---|
| without | ${median(without).toFixed(0)} µs |
| under \`curfew agent\` | ${median(within).toFixed(0)} µs |
| median of the ratios (bar: 1.2) | ${median(ratios).toFixed(2)} |
`,
);
home.done();
