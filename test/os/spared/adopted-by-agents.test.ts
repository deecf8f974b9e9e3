import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Actor } from '../scene/actor.ts';
import { jobWith, reapOrphans, scan } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched, type Innocent } from '../scene/innocents.ts';
import { pidsOf, pinned } from '../scene/outcome.ts';
import { scene, type Scene } from '../scene/scene.ts';

const tmux = '/usr/bin/tmux';
const quiet = '</dev/null >/dev/null 2>&1';
/** Looks like a tool call of aider, which marks nothing. */
const work = (seconds: number): readonly [string, string, string] => ['sh', '-c', `sleep ${seconds}; true`];
const typed = (seconds: number): string => `sh -c 'sleep ${seconds}; true'`;

/** aider as the first process of a pid namespace, with one process that its entry point left. */
const container = async (stage: Scene): Promise<number> => {
  stage.program('/tmp/scene/path/python3');
  stage.write(
    '/tmp/scene/programs/aider',
    'exec "sh", "-c", "sleep 3650; true" if !fork; while (1) { 1 while waitpid(-1, 1) > 0; select undef, undef, undef, 0.2 }',
  );
  const env = stage.userEnvironment();
  const argv = ['unshare', '--pid', '--fork', '--kill-child', 'python3', '/tmp/scene/programs/aider'];
  await stage.top.begin({ file: '/usr/bin/unshare', argv, env, setsid: true });
  return (await stage.find('aider', (row) => row.argv.join(' ') === 'python3 /tmp/scene/programs/aider')).pid;
};

/** What `docker exec` does: another process of the namespace, which the agent did not start. */
const enter = async (stage: Scene, aider: number, script: string): Promise<void> => {
  const argv = ['nsenter', '--target', String(aider), '--pid', 'sh', '-c', script];
  const env = { ...stage.userEnvironment(), TMUX_TMPDIR: '/tmp' };
  const pid = await stage.top.start({ file: '/usr/bin/nsenter', argv, env, setsid: true });
  expect((await stage.top.ended(pid)).code).toBe(0);
};

const adopted = async (stage: Scene, agent: Actor, argv: readonly string[]): Promise<Innocent> => {
  const found = await stage.find(argv.join(' '), (row) => row.argv.join(' ') === argv.join(' '));
  await stage.until('it is adopted', () => stage.row(found.pid)?.ppid === agent.pid);
  return bystander(stage, argv.join(' '), found.pid);
};

const unless = existsSync(tmux) ? '' : ` (SKIPPED: ${tmux} is not on this machine)`;

describe.concurrent('what an agent adopted is none of its commands', () => {
  test.skipIf(!existsSync(tmux))(
    `as the first process of a container, beside what docker exec, a multiplexer and its entry point started${unless}`,
    scene(async (stage) => {
      const aider = await container(stage);
      await enter(stage, aider, `(${typed(3651)} ${quiet} &)`);
      await enter(stage, aider, `(setsid ${typed(3652)} ${quiet} &)`);
      await enter(stage, aider, `tmux -f /dev/null new-session -d ${typed(3653)}`);
      const argv = ['nsenter', '--target', String(aider), '--pid', ...work(3654)];
      await stage.top.start({ file: '/usr/bin/nsenter', argv, env: stage.userEnvironment(), setsid: true });
      const innocents = await pinned(stage, ...[3650, 3651, 3652, 3653, 3654].map((one) => work(one).join(' ')));
      const orphan = innocents[1]?.pid ?? 0;
      await stage.until('aider has adopted it', () => stage.row(orphan)?.ppid === aider);
      for (const look of [await scan(stage, ['--all']), await scan(stage, ['--all'])])
        expect(innocents.filter(({ pid }) => pidsOf(look.jobs).has(pid))).toEqual([]);
    }),
  );

  test(
    'nor what a shell had started before it became the agent',
    scene(async (stage) => {
      const { ready } = stage.actorProgram('/tmp/scene/programs/aider');
      const agent = `${stage.program('python3')} /tmp/scene/programs/aider`;
      const script = `${typed(3655)} ${quiet} & (sleep 3656; true) ${quiet} & exec ${agent}`;
      const env = stage.userEnvironment();
      await stage.top.begin({ file: '/bin/bash', argv: ['bash', '-c', script], env, setsid: true });
      const aider = await ready();
      const found = await pinned(stage, work(3655).join(' '), 'sleep 3655', 'sleep 3656');
      const innocents = found.map(({ pid }) => bystander(stage, 'what the shell had started', pid));
      expect((await scan(stage, ['--all'])).jobs).toEqual([]);
      await stage.first.signal(aider.pid, 'KILL');
      await stage.until('aider is gone', () => stage.row(aider.pid) === null);
      expect((await reapOrphans(stage)).incidents).toEqual([]);
      expectUntouched(stage, innocents);
    }),
  );

  test(
    'nor what writes to a pipe that the shell opened for it, as its input or beside that',
    scene(async (stage) => {
      const aider = stage.actorProgram('/tmp/scene/programs/aider');
      const agent = `${stage.program('python3')} /tmp/scene/programs/aider`;
      const script = `exec 7< <(exec ${typed(3657)}); exec ${agent} < <(exec ${typed(3658)})`;
      const env = stage.userEnvironment();
      await stage.top.begin({ file: '/bin/bash', argv: ['bash', '-c', script], env, setsid: true });
      const { pid } = await aider.ready();
      const found = await pinned(stage, work(3657).join(' '), work(3658).join(' '));
      const innocents = found.map((one) => bystander(stage, 'what writes to the agent', one.pid));
      expect((await scan(stage, ['--all'])).jobs).toEqual([]);
      await stage.first.signal(pid, 'KILL');
      await stage.until('aider is gone', () => stage.row(pid) === null);
      expect((await reapOrphans(stage)).incidents).toEqual([]);
      expectUntouched(stage, innocents);
    }),
  );

  test(
    'nor that of an agent in Node, which marks what it was handed as its own, beside its own command',
    scene(async (stage) => {
      const cli = '/tmp/scene/programs/@continuedev/cli/cn.js';
      stage.write(
        cli,
        `require('node:child_process').spawn('bash', ['-l', '-c', 'sleep 3664; true']); setInterval(() => 1, 1e6);`,
      );
      const script = `exec 7< <(exec -a bash bash -l -c 'sleep 3663; true'); exec ${process.execPath} ${cli}`;
      const env = stage.userEnvironment();
      await stage.top.begin({ file: '/bin/bash', argv: ['bash', '-c', script], env, setsid: true });
      const [handed, own] = await pinned(stage, 'bash -l -c sleep 3663; true', 'bash -l -c sleep 3664; true');
      const look = await scan(stage, ['--all']);
      expect(jobWith(look, own?.pid ?? 0)).toMatchObject({ agent: 'continue', owner: 'live', proof: 'look' });
      expect(pidsOf(look.jobs).has(handed?.pid ?? 0)).toBe(false);
    }),
  );

  test(
    'nor where it looks as a call of an agent does whose calls are told by their shape',
    scene(async (stage) => {
      const kimi = '/tmp/scene/programs/@moonshot-ai/kimi-code/main.js';
      const call = (seconds: number): string => `cd '/tmp' && sleep ${seconds}; true`;
      stage.write(
        kimi,
        `const argv = ['-c', ${JSON.stringify(call(3666))}];
         require('node:child_process').spawn('bash', argv, { detached: true }).stdin.end();
         setInterval(() => 1, 1e6);`,
      );
      const script = `: | setsid bash -c "${call(3665)}" >/dev/null 2>&1 & exec ${process.execPath} ${kimi}`;
      const env = stage.userEnvironment();
      const begun = await stage.top.begin({ file: '/bin/bash', argv: ['bash', '-c', script], env, setsid: true });
      const [mine, own] = await pinned(stage, `bash -c ${call(3665)}`, `bash -c ${call(3666)}`);
      const look = await scan(stage, ['--all']);
      expect(jobWith(look, own?.pid ?? 0)).toMatchObject({ agent: 'kimi', owner: 'live', proof: 'look' });
      expect(look.jobs).toHaveLength(1);
      await stage.first.signal(begun.pid, 'KILL');
      await stage.until('kimi is gone', () => stage.row(begun.pid) === null);
      await reapOrphans(stage);
      expectGone(stage, own === undefined ? [] : [own]);
      expectUntouched(stage, [bystander(stage, 'what the shell had started', mine?.pid ?? 0)]);
    }),
  );

  test(
    'nor what it had started with a mark, in a group or session of its own; a call that gives it no output is one',
    scene(async (stage) => {
      const crush = '/tmp/scene/programs/crush';
      stage.write(
        crush,
        `const env = { ...process.env, CRUSH: '1' };
         require('node:child_process').spawn('sleep', ['3670'], { detached: true, env, stdio: 'ignore' });
         setInterval(() => 1, 1e6);`,
      );
      const started = [
        `set -m; CRUSH=1 sleep 3667 ${quiet} & set +m`,
        `CRUSH=1 setsid sleep 3668 ${quiet} &`,
        `(CRUSH=1 setsid sleep 3669 & until test -e /tmp/on; do sleep 0.1; done) ${quiet} &`,
      ].join('\n');
      const script = `${started}\nexec ${process.execPath} ${crush}`;
      const env = stage.userEnvironment();
      const agent = await stage.top.begin({ file: '/bin/bash', argv: ['bash', '-c', script], env, setsid: true });
      const [own, ...found] = await pinned(stage, 'sleep 3670', 'sleep 3667', 'sleep 3668', 'sleep 3669');
      const innocents = found.map(({ pid }) => bystander(stage, 'what the shell had started', pid));
      const look = await scan(stage, ['--all']);
      expect([own, ...found].map((one) => jobWith(look, one?.pid ?? 0).proof)).toEqual([
        'look',
        'claimed',
        'claimed',
        'claimed',
      ]);
      stage.write('/tmp/on', '');
      await stage.until('what was in between is gone', () => stage.row(found[2]?.pid ?? 0)?.ppid === stage.top.pid);
      await stage.first.signal(agent.pid, 'KILL');
      await stage.until('crush is gone', () => stage.row(agent.pid) === null);
      await reapOrphans(stage);
      expectGone(stage, own === undefined ? [] : [own]);
      expectUntouched(stage, innocents);
    }),
  );

  test(
    'as a subreaper, beside its own command',
    scene(async (stage) => {
      const aider = await stage.actor({ argv: ['python3', '/usr/local/bin/aider'], setsid: true, subreaper: true });
      const user = await stage.actor({ argv: ['launch'], parent: aider, setsid: true });
      const env = stage.userEnvironment();
      await user.start({ file: '/bin/sh', argv: work(3661), env });
      await user.start({ file: '/bin/sh', argv: work(3662), env, setsid: true });
      await user.exit();
      const innocents = [await adopted(stage, aider, work(3661)), await adopted(stage, aider, work(3662))];
      const call = await aider.start({ file: '/bin/sh', argv: work(3660), env, fds: { 1: 'pipe' } });
      const own = stage.identity(call);
      const look = await scan(stage, ['--all']);
      expect(jobWith(look, call)).toMatchObject({ agent: 'aider', owner: 'live', proof: 'look' });
      expect(innocents.filter(({ identity }) => pidsOf(look.jobs).has(identity.pid))).toEqual([]);
      await stage.first.signal(aider.pid, 'KILL');
      await stage.until('aider is gone', () => stage.row(aider.pid) === null);
      await reapOrphans(stage);
      expectGone(stage, [own]);
      expectUntouched(stage, innocents);
    }),
  );

  test(
    'nor its session’s, where another agent of the same kind started it and lives',
    scene(async (stage) => {
      const argv = ['node', '/tmp/scene/programs/gemini-cli/gemini'] as const;
      const outer = await stage.actor({ argv, setsid: true, subreaper: true });
      const shell = await stage.actor({ argv: ['launch'], parent: outer, setsid: true });
      const inner = await stage.actor({ argv, parent: shell, setsid: true });
      await shell.exit();
      const env = { ...stage.userEnvironment(), GEMINI_CLI: '1' };
      const script = `sleep 3671 ${quiet} & true`;
      const call = { file: '/bin/bash', argv: ['/bin/bash', '-c', script], env, setsid: true };
      await inner.ended((await inner.begin(call)).pid);
      const left = await adopted(stage, outer, ['sleep', '3671']);
      expect(jobWith(await scan(stage), left.identity.pid)).toMatchObject({ agent: 'gemini', proof: 'claimed' });
      await stage.first.signal(outer.pid, 'KILL');
      await stage.until('the outer one is gone', () => stage.row(outer.pid) === null);
      await reapOrphans(stage);
      expectUntouched(stage, [left, bystander(stage, 'the inner agent', inner.pid)]);
    }),
  );
});
