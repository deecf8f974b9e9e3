import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { isWritable } from '../machine-facts.ts';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, reapOrphans, scan } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched, innocentProgram } from '../scene/innocents.ts';
import { type Scene, scene } from '../scene/scene.ts';

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
