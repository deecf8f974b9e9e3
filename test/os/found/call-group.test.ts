import { existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { isWritable, readableNode } from '../machine-facts.ts';
import { machineProgram } from '../faults/machine-program.ts';
import { FakeClaude } from '../scene/claude.ts';
import { removeAgentGroups } from '../../../main/os/containment/agent-groups.ts';
import { ownWritableGroup } from '../../../main/os/containment/control-group.ts';
import { curfewFile, history, jobWith, reapOrphans, scan, startCurfew } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched, innocentProgram } from '../scene/innocents.ts';
import { type Scene, scene } from '../scene/scene.ts';
import { startRecord } from '../agent-start-record.ts';
import { jobOf, watchClosely } from '../stuck/watched.ts';

/** Where control groups of cgroup 1 that can limit memory are made; null where they can't be. */
const hierarchy = ((): string | null => {
  const own = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(?<path>.*)$/mu.exec(readFileSync('/proc/self/cgroup', 'utf8'));
  const folder = `/sys/fs/cgroup/memory${own?.groups?.['path'] ?? ''}`;
  return own !== null && existsSync(`${folder}/cgroup.procs`) && isWritable(folder) ? folder : null;
})();

const made: string[] = [];
/** A parent group of agents, with the group that Claude Code makes in it for its tool calls. */
const agentsGroup = (name: string): { readonly own: string; readonly calls: string } => {
  const own = `${hierarchy ?? ''}/curfew-test-${process.pid}-${name}`;
  const calls = `${own}/claude-code-bash`;
  for (const folder of [own, calls]) {
    mkdirSync(folder);
    made.push(folder);
  }
  return { own, calls };
};

afterEach(() => {
  for (const folder of made.splice(0).toReversed()) rmdirSync(folder);
});

/** Runs a line as the scene's first process' child, to its end. */
const sh = async (stage: Scene, script: string, env: Readonly<Record<string, string>> = {}): Promise<void> => {
  const pid = await stage.top.start({
    file: '/bin/sh',
    argv: ['/bin/sh', '-c', script],
    env: { ...stage.userEnvironment(), ...env },
    setsid: true,
  });
  const { code } = await stage.top.ended(pid);
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
};

/** Starts a command, and its shell first goes where Claude Code lets a tool shell begin. */
const inGroup = (calls: string, command: string): string => `echo 0 > ${calls}/cgroup.procs; ${command}`;
/** Leaves its session, parent and environment, and holds no file of the agent. */
const bare = (seconds: number): string =>
  `(setsid env -i /bin/sleep ${seconds} </dev/null >/dev/null 2>&1 &) ; sleep 0.3`;

/** Double-forks a program into a kernel session of its own for each client of its socket. */
const queue = (clears: boolean): string => `use POSIX; use IO::Socket::UNIX; $SIG{CHLD} = "IGNORE";
my $socket = IO::Socket::UNIX->new(Local => "/tmp/work/queue.sock", Listen => 5) or die;
while (my $client = $socket->accept) {
  close $client;
  next if fork;
  exit if fork;
  POSIX::setsid(); close $socket; ${clears ? '%ENV = (PATH => $ENV{PATH});' : ''}
  exec "node", "/tmp/work/batch.js";
}`;
const asking = 'IO::Socket::UNIX->new(Peer => "/tmp/work/queue.sock") or die';

const sleeper = (stage: Scene, seconds: number) =>
  stage.find(`sleep ${seconds}`, ({ argv }) => argv.join(' ') === `/bin/sleep ${seconds}`);

const unless = hierarchy === null ? ' (SKIPPED: no control groups may be made here)' : '';

describe.skipIf(hierarchy === null)(`in the control group that Claude Code gives to tool calls${unless}`, () => {
  test(
    'what left everything else is proved by the kernel, and ended once its agent has ended',
    scene(async (stage) => {
      const group = agentsGroup('ended');
      const claude = await FakeClaude.start(stage);
      await sh(stage, `echo ${claude.identity.pid} > ${group.own}/cgroup.procs`);
      await claude.foreground(inGroup(group.calls, bare(3611)));
      const left = stage.identity((await sleeper(stage, 3611)).pid);

      const look = await scan(stage);
      expect(jobWith(look, left.pid)).toMatchObject({ agent: 'claude-code', proof: 'kernel' });
      await claude.crash();
      await reapOrphans(stage);
      expectGone(stage, [left]);
    }),
  );

  test(
    'a user’s own process in a group of that name elsewhere is none, also with the marks of a dead session',
    scene(async (stage) => {
      const [group, other] = [agentsGroup('mine'), agentsGroup('elsewhere')];
      const claude = await FakeClaude.start(stage);
      await sh(stage, `echo ${claude.identity.pid} > ${group.own}/cgroup.procs`);
      await scan(stage);
      await sh(stage, inGroup(other.calls, bare(3612)));
      await sh(stage, inGroup(other.calls, '(setsid /bin/sleep 3613 </dev/null >/dev/null 2>&1 &) ; sleep 0.3'), {
        ...claude.environment(),
      });
      const [unmarked, marked] = [await sleeper(stage, 3612), await sleeper(stage, 3613)];
      await claude.crash();
      const look = await scan(stage);
      expect(look.jobs.flatMap(({ members }) => members.map(({ pid }) => pid))).not.toContain(unmarked.pid);
      expect(jobWith(look, marked.pid)).toMatchObject({ proof: 'claimed' });
      await reapOrphans(stage);
      expectUntouched(stage, [bystander(stage, 'unmarked', unmarked.pid), bystander(stage, 'marked', marked.pid)]);
    }),
  );

  for (const environment of ['its own environment', 'no environment'] as const)
    test(
      `what a queue that a tool call left was asked for stays, also where it double-forks it, in ${environment}`,
      scene(async (stage) => {
        const group = agentsGroup(environment.slice(0, 2));
        const claude = await FakeClaude.start(stage);
        await sh(stage, `echo ${claude.identity.pid} > ${group.own}/cgroup.procs`);
        for (const name of ['queued', 'node']) stage.program(`/tmp/scene/path/${name}`);
        stage.write('/tmp/work/queue.pl', queue(environment === 'no environment'));
        await claude.foreground(inGroup(group.calls, bare(3616)));
        const left = stage.identity((await sleeper(stage, 3616)).pid);
        const begin = '(setsid queued /tmp/work/queue.pl </dev/null >/dev/null 2>&1 &); sleep 0.3';
        await claude.foreground(inGroup(group.calls, begin));
        await stage.until('the queue listens', () => stage.has('/tmp/work/queue.sock'));
        await scan(stage);
        const own = innocentProgram(stage, '/tmp/work/batch.js');
        await sh(stage, `perl -MIO::Socket::UNIX -e '${asking}'`);
        const job = await own.ready();
        await claude.crash();
        // The queue may be ended itself, and then shows no more that it could be asked.
        await reapOrphans(stage);
        expectGone(stage, [left]);
        await reapOrphans(stage);
        expectUntouched(stage, [job]);
        const found = (await scan(stage, ['--all'])).jobs.find(({ members }) =>
          members.some(({ pid }) => pid === job.identity.pid),
        );
        expect(found?.proof ?? 'claimed').toBe('claimed');
      }),
    );

  test(
    'what a queue was asked for stays where the queue ended before a look saw that',
    scene(async (stage) => {
      const group = agentsGroup('once');
      const claude = await FakeClaude.start(stage);
      await sh(stage, `echo ${claude.identity.pid} > ${group.own}/cgroup.procs`);
      for (const name of ['queued', 'node']) stage.program(`/tmp/scene/path/${name}`);
      stage.write('/tmp/work/queue.pl', queue(false));
      const begin = '(setsid queued /tmp/work/queue.pl </dev/null >/dev/null 2>&1 &); sleep 0.3';
      await claude.foreground(inGroup(group.calls, begin));
      await stage.until('the queue listens', () => stage.has('/tmp/work/queue.sock'));
      const daemon = await stage.find('the queue', ({ argv }) => argv[1] === '/tmp/work/queue.pl');
      await scan(stage);
      const own = innocentProgram(stage, '/tmp/work/batch.js');
      await sh(stage, `perl -MIO::Socket::UNIX -e '${asking}'`);
      const job = await own.ready();
      await stage.first.signal(daemon.pid, 'KILL');
      await stage.until('the queue has ended', () => stage.row(daemon.pid) === null);
      await claude.crash();
      await reapOrphans(stage);
      expectUntouched(stage, [job]);
      const found = (await scan(stage, ['--all'])).jobs.find(({ members }) =>
        members.some(({ pid }) => pid === job.identity.pid),
      );
      expect(found).toMatchObject({ proof: 'claimed' });
    }),
  );

  test(
    'what is left of a dead agent is left alone while another of the same parent group lives',
    scene(async (stage) => {
      const group = agentsGroup('two');
      const [dead, living] = [await FakeClaude.start(stage), await FakeClaude.start(stage)];
      for (const { identity } of [dead, living]) await sh(stage, `echo ${identity.pid} > ${group.own}/cgroup.procs`);
      await dead.foreground(inGroup(group.calls, bare(3614)));
      const left = await sleeper(stage, 3614);
      await scan(stage);
      await dead.crash();
      await reapOrphans(stage);
      expect(jobWith(await scan(stage), left.pid)).toMatchObject({ proof: 'kernel', owner: 'unknown' });
      expectUntouched(stage, [bystander(stage, 'of the one or the other', left.pid)]);
    }),
  );
});

/** A program that a script of the user's left, and that shares the kernel session of the script. */
const innocentOf = async (stage: Scene, name: string) => {
  stage.program('/tmp/scene/path/node');
  const own = innocentProgram(stage, `/tmp/work/${name}.js`);
  await stage.top.begin({
    file: '/bin/sh',
    argv: ['/bin/sh', '-c', `(node /tmp/work/${name}.js &) ; /bin/sleep 3641; :`],
    env: stage.userEnvironment(),
    setsid: true,
  });
  return own.ready();
};

/** Where groups of version 2 can be made, too. */
const canStart = ((): boolean => {
  try {
    return hierarchy !== null && isWritable(ownWritableGroup());
  } catch {
    return false;
  }
})();

/** Moves its calls as Claude Code does, and stays until it is killed. */
const movingAgent = (script: string): string => `#!/bin/sh
group=/sys/fs/cgroup/memory$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)/claude-code-bash
call() { sh -c 'echo 0 > "$0/cgroup.procs" && eval "$1"' "$group" "$1"; }
${script}
/bin/sleep 3640; :
`;

/** Starts this agent by `curfew agent`; its groups are removed with the scene. */
const startAgent = async (stage: Scene, script: string, options: readonly string[] = []) => {
  stage.write('/tmp/scene/path/claude', movingAgent(script), 0o755);
  const { identity } = await startCurfew(stage, ['agent', ...options, '--', 'claude']);
  await sleeper(stage, 3640);
  const [name = ''] = readdirSync(stage.outside('/tmp/curfew-home/agents'));
  const file = `/tmp/curfew-home/agents/${name}`;
  const text = stage.read(file);
  const { id, groups } = startRecord.parse(JSON.parse(text));
  stage.atEnd(() => removeAgentGroups({ id, groups }));
  return { identity, groups, file, text };
};

const unlessStarted = canStart ? '' : ' (SKIPPED: no control groups may be made here)';

describe.skipIf(!canStart)(`in the groups that Curfew made for an agent${unlessStarted}`, () => {
  test.each([
    ['as here', ':'],
    ['with version 1 alone', 'umount /sys/fs/cgroup/unified'],
  ])('what left everything else is proved with no look before, by no other record, and ended, %s', (_where, before) =>
    scene(async (stage) => {
      await machineProgram(stage, '/bin/sh', '-c', before);
      const twice = bare(3621).replace('(setsid', '(setsid sh -c "(setsid').replace('&) ;', '&)" &) ;');
      const { identity, file, text, groups } = await startAgent(stage, `call '${bare(3620)}'\ncall '${twice}'`);
      const left = [];
      for (const seconds of [3620, 3621]) left.push(stage.identity((await sleeper(stage, seconds)).pid));
      await stage.first.signal(identity.pid, 'KILL');
      await stage.until('the agent has ended', () => stage.row(identity.pid) === null);

      const forged = { ...startRecord.parse(JSON.parse(text)), groups: groups.map((one) => ({ ...one, inode: 1 })) };
      stage.write(file, JSON.stringify(forged));
      expect((await scan(stage, ['--all'])).jobs).toEqual([]);
      stage.write(file, text);
      const look = await scan(stage);
      for (const { pid } of left)
        expect(jobWith(look, pid)).toMatchObject({ agent: 'claude-code', proof: 'kernel', owner: 'gone' });
      await reapOrphans(stage);
      expectGone(stage, left);
      // What the agent itself had started is in its group, and no tool call.
      await sleeper(stage, 3640);
    })(),
  );

  test(
    'a program of the user’s that was moved into them is none of its tool calls',
    scene(async (stage) => {
      const older = await innocentOf(stage, 'older');
      const { identity, groups } = await startAgent(stage, `call '${bare(3622)}'`);
      const left = stage.identity((await sleeper(stage, 3622)).pid);
      const younger = await innocentOf(stage, 'younger');
      for (const { identity: own } of [older, younger])
        for (const { folder } of groups.filter(({ holds, hierarchy: its }) => its === '' || holds === 'calls'))
          await sh(stage, `echo ${own.pid} > ${folder}/cgroup.procs`);
      await stage.first.signal(identity.pid, 'KILL');
      await stage.until('the agent has ended', () => stage.row(identity.pid) === null);
      await reapOrphans(stage);
      expectGone(stage, [left]);
      expectUntouched(stage, [older, younger]);
    }),
  );

  test(
    'what an agent shares them with is proved by its mark, and only that is ended, once no agent is left in them',
    scene(async (stage) => {
      const mark = 'CODEX_SESSION_ID=one CODEX_THREAD_ID=one CODEX_TOOL_CALL_ID=call_1 CODEX_CI=1';
      const helper = bare(3651).replace('; sleep 0.3', '');
      const inner = `${readableNode} ${curfewFile} agent -- gemini &`;
      const script = `${mark} setsid sh -c '${bare(3650).replace('env -i ', '')}'\n${helper}\n${inner}\nexec /bin/sleep 3640`;
      stage.write('/tmp/scene/path/codex', `#!/bin/sh\n${script}\n`, 0o755);
      stage.write('/tmp/scene/path/gemini', '#!/bin/sh\n/bin/sleep 3652; :\n', 0o755);
      const agent = await startCurfew(stage, ['agent', '--tasks', '60', '--', 'codex']);
      const [left, own] = [await sleeper(stage, 3650), await sleeper(stage, 3651)];
      await sleeper(stage, 3652);
      expect(agent.stderr()).toContain('the agent and what it starts share 60 processes and threads');
      expect(agent.stderr()).toContain(
        'this is inside of another `curfew agent`, so the agent starts in the same group',
      );
      const names = readdirSync(stage.outside('/tmp/curfew-home/agents'));
      expect(names).toHaveLength(1);
      const { id, groups } = startRecord.parse(JSON.parse(stage.read(`/tmp/curfew-home/agents/${names[0]}`)));
      stage.atEnd(() => removeAgentGroups({ id, groups }));
      const second = await stage.find('the other agent', ({ argv }) => argv.at(-1)?.endsWith('/gemini') === true);
      await stage.first.signal(agent.identity.pid, 'KILL');
      await stage.until('the agent has ended', () => stage.row(agent.identity.pid) === null);

      await reapOrphans(stage);
      const untouched = [bystander(stage, 'left of the one or the other', left.pid), bystander(stage, 'own', own.pid)];
      expect(jobWith(await scan(stage), left.pid)).toMatchObject({ agent: 'codex', proof: 'kernel', owner: 'unknown' });
      expectUntouched(stage, untouched);
      await stage.first.signal(second.pid, 'KILL');
      await stage.until('the other has ended', () => stage.row(second.pid) === null);
      const due = stage.identity(left.pid);
      await reapOrphans(stage);
      expectGone(stage, [due]);
      expectUntouched(
        stage,
        [untouched[1]].flatMap((one) => one ?? []),
      );
    }),
  );

  test(
    'a job that the kernel ended at the ceiling is on record with that cause; its agent lives',
    scene(async (stage) => {
      const hog = 'until [ -e /tmp/work/go ]; do /bin/sleep 0.1; done; exec perl /tmp/work/hog.pl';
      stage.write('/tmp/work/hog.sh', hog);
      stage.write('/tmp/work/hog.pl', 'my @kept; push @kept, "x" x 1_000_000 while 1');
      const call = `call '(setsid env -i /bin/sh /tmp/work/hog.sh </dev/null >/dev/null 2>&1 &)'`;
      const { identity } = await startAgent(stage, call, ['--memory', '64M']);
      const { pid } = await stage.find('the hog', ({ argv }) => argv[1] === '/tmp/work/hog.sh');
      const watch = await watchClosely(stage);
      await stage.until('it is overdue', () => jobOf(watch, pid)?.verdict.state === 'overdue');
      stage.write('/tmp/work/go', '');
      await stage.until('its end is told', () => watch.stdout().includes('"event":"ended"'));
      await watch.signal('TERM');
      await watch.ended();
      expect(await history(stage)).toMatchObject([{ outcome: 'vanished' }]);
      expect(JSON.stringify(await history(stage))).toContain('Probably the kernel ended it to free memory');
      expect(stage.lives(identity)).toBe(true);
    }),
  );
});
