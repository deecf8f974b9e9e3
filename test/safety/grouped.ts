import { readdirSync, rmdirSync } from 'node:fs';
import { removeAgentGroups } from '../../main/os/containment/agent-groups.ts';
import { firstVersionFolder } from '../../main/os/containment/bounds.ts';
import { ownWritableGroup } from '../../main/os/containment/control-group.ts';
import { startRecord, type StartRecord } from '../os/agent-start-record.ts';
import { machineProgram } from '../os/faults/machine-program.ts';
import { isWritable } from '../os/machine-facts.ts';
import { startCurfew } from '../os/scene/curfew.ts';
import { bystander, type Innocent } from '../os/scene/innocents.ts';
import type { Identity } from '../os/scene/processes.ts';
import type { Scene } from '../os/scene/scene.ts';
import type { Put } from './held.ts';
import type { SituationKind } from './world.ts';

// Agents that `curfew agent` started in control groups, and that ended before any look saw them:
// nothing but their groups proves what they left.

/** One of the situations of this file. */
export type Grouped = Extract<
  SituationKind,
  'calls-group' | 'shared-group' | 'whole-group' | 'lived-in-group' | 'group-again'
>;

/** Whether such groups can be made here, as Claude Code's with memory in version 1. */
export const canGroup = ((): boolean => {
  try {
    const memory = firstVersionFolder('memory');
    return memory !== null && isWritable(memory) && isWritable(ownWritableGroup());
  } catch {
    return false;
  }
})();

let numbers = 40_000;

/** A program that only its argument tells from others. */
const sleeper = (stage: Scene) => {
  const argument = String(numbers++);
  const find = async (what: string): Promise<Innocent> => {
    const { pid } = await stage.find(what, ({ argv }) => argv.join(' ') === `sleep ${argument}`);
    return bystander(stage, what, pid);
  };
  return { command: `sleep ${argument} </dev/null >/dev/null 2>&1`, find };
};

const bare = (command: string): string => `(setsid env -i ${command} &)`;
const twice = (command: string): string => `(setsid sh -c "(setsid ${command} &)" &)`;
const codexMarks = { CODEX_SESSION_ID: 'grouped', CODEX_THREAD_ID: 'grouped', CODEX_CI: '1' };
const asCodexCall = (command: string): string =>
  `env ${Object.entries(codexMarks)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')} setsid sh -c '(setsid ${command} &)'`;

/** Moves its calls as Claude Code does where the kernel has memory in version 1. */
const moving = `group=/sys/fs/cgroup/memory$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)/claude-code-bash
call() { sh -c 'echo 0 > "$0/cgroup.procs" && eval "$1"' "$group" "$1"; }`;

interface Begun {
  readonly record: StartRecord;
  /** Lets the agent be killed. */
  readonly end: () => Promise<void>;
}

/** Starts an agent by `curfew agent`, and waits until it rests. */
const begin = async (
  stage: Scene,
  name: 'claude' | 'codex',
  options: readonly string[],
  lines: readonly string[],
): Promise<Begun> => {
  const folder = '/tmp/curfew-home/agents';
  const recorded = (): readonly string[] =>
    stage.has(folder) ? readdirSync(stage.outside(folder)).filter((one) => one.endsWith('.json')) : [];
  const before = new Set(recorded());
  const rest = sleeper(stage);
  const path = `/tmp/work/grouped-${numbers++}/${name}`;
  stage.write(path, `#!/bin/sh\n${lines.join('\n')}\nexec ${rest.command}\n`, 0o755);
  await startCurfew(stage, ['agent', ...options, '--', path]);
  const { identity } = await rest.find('the agent rests');
  const file = recorded().find((one) => !before.has(one));
  if (file === undefined) throw new Error('the start is on no record');
  const record = startRecord.parse(JSON.parse(stage.read(`${folder}/${file}`)));
  stage.atEnd(() => removeAgentGroups(record));
  const end = async (): Promise<void> => {
    await stage.first.signal(identity.pid, 'KILL');
    await stage.until('the agent has ended', () => stage.row(identity.pid) === null);
  };
  return { record, end };
};

/** The user starts the very command that a call left. */
const twinOf = async (stage: Scene, command: string, marks: Readonly<Record<string, string>>): Promise<Innocent> => {
  const { pid } = await stage.top.begin({
    file: '/bin/sh',
    argv: ['/bin/sh', '-c', `exec ${command}`],
    env: { ...stage.userEnvironment(), ...marks },
    setsid: true,
  });
  return bystander(stage, 'the user’s own', pid);
};

const identitiesOf = (left: readonly Innocent[]): readonly Identity[] => left.map(({ identity }) => identity);

/** Calls with a group of their own, and one of them at its ceiling. */
const inCalls = async (stage: Scene): Promise<Put> => {
  const [cleared, forked, plain, own] = [sleeper(stage), sleeper(stage), sleeper(stage), sleeper(stage)];
  const hog = stage.write('/tmp/work/hog.pl', 'my @kept; push @kept, "x" x 1_000_000 while 1');
  const { end } = await begin(
    stage,
    'claude',
    ['--memory', '64M'],
    [
      moving,
      `call '${bare(cleared.command)}'`,
      `call '${twice(forked.command)}'`,
      `call '(setsid ${plain.command} &)'`,
      `call 'exec perl ${hog}'`,
      bare(own.command),
    ],
  );
  const due = [await cleared.find('cleared'), await forked.find('forked'), await plain.find('plain')];
  const innocents = [await own.find('what the agent itself started'), await twinOf(stage, cleared.command, {})];
  await end();
  return { innocents, due: identitiesOf(due) };
};

/** Calls that share the group of their agent. */
const inShared = async (stage: Scene): Promise<Put> => {
  const [marked, own] = [sleeper(stage), sleeper(stage)];
  const { end } = await begin(stage, 'codex', [], [asCodexCall(marked.command), bare(own.command)]);
  const due = [await marked.find('marked')];
  const innocents = [await own.find('what the agent itself started'), await twinOf(stage, marked.command, codexMarks)];
  await end();
  return { innocents, due: identitiesOf(due) };
};

/** All that is left is due, and deaf to TERM: it is killed as one. */
const inWhole = async (stage: Scene): Promise<Put> => {
  const [script, number] = ['/tmp/work/deaf.pl', String(numbers++)];
  stage.write(script, '$SIG{TERM} = "IGNORE"; fork; sleep 3600');
  const command = `perl ${script} ${number} </dev/null >/dev/null 2>&1`;
  const { end } = await begin(stage, 'codex', [], [asCodexCall(command)]);
  const both = (): readonly Identity[] =>
    stage.table().flatMap((row) => (row.argv[2] === number && row.comm === 'perl' ? [stage.identity(row.pid)] : []));
  await stage.until('both are there', () => both().length === 2);
  const due = both();
  const innocents = [await twinOf(stage, command, codexMarks)];
  await end();
  return { innocents, due };
};

const moveTo = (stage: Scene, pid: number, { groups }: StartRecord): Promise<void> =>
  machineProgram(stage, '/bin/sh', '-c', groups.map(({ folder }) => `echo ${pid} > ${folder}/cgroup.procs`).join('; '));

/** The user starts another agent in that group, which goes on. */
const livedIn = async (stage: Scene): Promise<Put> => {
  const marked = sleeper(stage);
  const { end, record } = await begin(stage, 'codex', [], [asCodexCall(marked.command)]);
  const other = await stage.actor({ argv: ['gemini'], setsid: true });
  await moveTo(stage, other.pid, record);
  const innocents = [await marked.find('of the one or the other'), bystander(stage, 'the other agent', other.pid)];
  await end();
  return { innocents, due: [] };
};

/** The group is gone, and the user has made one of that name for a program that bears marks. */
const again = async (stage: Scene): Promise<Put> => {
  const { end, record } = await begin(stage, 'codex', [], []);
  await end();
  const folders = record.groups.map(({ folder }) => folder).join(' ');
  await machineProgram(stage, '/bin/sh', '-c', `until rmdir ${folders}; do sleep 0.05; done; mkdir ${folders}`);
  const own = await twinOf(stage, sleeper(stage).command, codexMarks);
  await moveTo(stage, own.identity.pid, record);
  stage.atEnd(() => {
    for (const { folder } of record.groups) rmdirSync(folder);
  });
  return { innocents: [own], due: [] };
};

const put: Readonly<Record<Grouped, (stage: Scene) => Promise<Put>>> = {
  'calls-group': inCalls,
  'shared-group': inShared,
  'whole-group': inWhole,
  'lived-in-group': livedIn,
  'group-again': again,
};

/**
 * Puts one of them on the stage.
 * @param isDue what the groups prove must be ended; else it may be
 */
export const grouped = async (stage: Scene, kind: Grouped, isDue: boolean): Promise<Put> => {
  const { innocents, due } = await put[kind](stage);
  return { innocents, due: isDue ? due : [] };
};
