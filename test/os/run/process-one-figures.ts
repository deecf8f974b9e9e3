// node build/scripts/in-namespace.ts node test/os/run/process-one-figures.ts: plays `curfew init`,
// tini and dumb-init side by side and writes docs/records/process-one.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirePidNamespace } from '../namespace.ts';
import { Home, until } from './curfew-run.ts';
import { Container, leaves, listened, listener, orphans, programs, type ProgramName } from './process-one.ts';

requirePidNamespace();
const count = 1000;
const home = new Home();
const names = Object.keys(programs) as readonly ProgramName[];
const perSecond = 100;

const status = async (name: ProgramName, script: string): Promise<number> =>
  new Container(home, name, ['sh', '-c', script]).ended;

const passed = async (name: ProgramName): Promise<string> => {
  const container = new Container(home, name, listener);
  await container.says('ready');
  for (const signal of listened) {
    container.signal(`SIG${signal}`);
    await container.says(`got ${signal}`);
  }
  container.signal('SIGKILL');
  await container.ended;
  return `${listened.length} of ${listened.length}`;
};

/** Processor time in ms and resident megabytes of a process. */
const cost = (pid: number): { readonly cpuMs: number; readonly megabytes: number } => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const resident = /^VmRSS:\s+(?<kb>\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.groups?.['kb'];
  return { cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1000) / perSecond, megabytes: Number(resident) / 1024 };
};

const reaping = async (name: ProgramName): Promise<readonly string[]> => {
  const container = new Container(home, name, orphans(count));
  await container.says('left');
  await until('no zombie is left', () => !container.states.includes('Z'));
  const { cpuMs, megabytes } = cost(container.first);
  container.signal('SIGKILL');
  await container.ended;
  return ['none', `${cpuMs.toFixed(0)} ms`, `${megabytes.toFixed(1)} MB`];
};

const outlived = async (name: ProgramName, how: string, stop: string): Promise<string> => {
  const file = home.file(`${name}${how}${stop.length}`);
  await new Container(
    home,
    name,
    leaves(how, file).map((word) => word.replace('exit 5', `${stop} exit 5`)),
  ).ended;
  return existsSync(file) ? 'asked, ends by itself' : 'killed unasked';
};

/** Median time from start to end of `true`, milliseconds. */
const start = async (name: ProgramName): Promise<string> => {
  const times: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const beganMs = performance.now();
    await new Container(home, name, ['true']).ended;
    times.push(performance.now() - beganMs);
  }
  return `${times.toSorted((a, b) => a - b)[4]?.toFixed(0)} ms`;
};

const rows: readonly (readonly [string, (name: ProgramName) => Promise<string>])[] = [
  ['exit 77', async (name) => String(await status(name, 'exit 77'))],
  ['its command ends by SEGV', async (name) => String(await status(name, 'kill -SEGV $$'))],
  ['signals passed on', passed],
  ['what outlives the command', async (name) => outlived(name, '', '')],
  ['the same in a session of its own', async (name) => outlived(name, 'setsid', '')],
  ['the same, stopped', async (name) => outlived(name, '', 'kill -STOP $!;')],
  ['start to end of `true`, median of 9', start],
];

const lines: string[] = [];
for (const [what, play] of rows) {
  const cells: string[] = [];
  for (const name of names) cells.push(await play(name));
  lines.push(`| ${[what, ...cells].join(' | ')} |`);
}
const reaped: (readonly string[])[] = [];
for (const name of names) reaped.push(await reaping(name));
for (const [at, what] of [
  `zombies after ${count} orphans`,
  'processor time for them, start included',
  'resident',
].entries())
  lines.push(`| ${[what, ...reaped.map((cells) => cells[at] ?? '')].join(' | ')} |`);
home.done();

writeFileSync(
  join(import.meta.dirname, '../../../docs/records/process-one.md'),
  `# Process 1 of a container: the record

Written by \`npm run measure:init\` on ${new Date().toISOString().slice(0, 10)}. One run on one machine, one after the other, each in a pid namespace
of its own. \`curfew init\` is a Node process: it costs more, and asks before the kernel kills.

| | ${names.map((name) => (name === 'curfew' ? '`curfew init`' : name)).join(' | ')} |
| --- | ${names.map(() => '---').join(' | ')} |
${lines.join('\n')}

Not passed on by \`curfew init\`: real-time signals, which Node does not know.

dumb-init sends TERM to its command's session and exits at once: whether that is heard before the
kernel kills is a race, and one run shows one outcome.
`,
);
