import { describe, expect, test } from 'vitest';
import { jobWith, scan } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { expectAllReaped, expectReaped, livingSession, pinned } from '../scene/outcome.ts';
import { preambleOf } from '../scene/habits.ts';
import { type Scene, scene } from '../scene/scene.ts';

/** Makes programs that tool calls start by name. */
const onPath = (stage: Scene, ...names: readonly string[]): void => {
  for (const name of names) stage.program(`/tmp/scene/path/${name}`);
};

describe.concurrent('leftovers of Claude Code, as reported by users', () => {
  test(
    'T01, T20: a dev server survives its session; it is a service, and its port is free afterwards',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      onPath(stage, 'node');
      stage.script(`${claude.project}/next-dev.js`, preambleOf({ port: 3000 }), 'resident.pl');
      await claude.foreground('PORT=3000 node next-dev.js > dev.log 2>&1 & echo started');
      const processes = await pinned(stage, 'node next-dev.js');
      await stage.until('it listens', () => stage.read('/proc/1/net/tcp').includes(':0BB8 '));
      await claude.end();
      const facts = { session: claude.session, project: claude.project, command: null };
      const { job, incident } = await expectReaped(stage, { ...facts, processes, claimed: true }, innocents);
      expect(job).toMatchObject({ kind: 'service', holds: { ports: [3000] } });
      expect(incident.freed.ports).toEqual([3000]);
      await expect(stage.top.listen(3000)).resolves.toBeUndefined();
    }),
  );

  test(
    'T02: yesterday’s tests, pnpm build && node --test, whose session ended by Ctrl-C',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage, { version: '2.1.197' });
      onPath(stage, 'node');
      stage.script('/tmp/test-new-expr.mjs', '', 'resident.pl');
      const command = 'true && node /tmp/test-new-expr.mjs; true';
      const call = await claude.bash(command);
      const processes = [call.shell, ...(await pinned(stage, 'node /tmp/test-new-expr.mjs'))];
      await claude.crash();
      await expectReaped(stage, { processes, session: claude.session, project: claude.project, command }, innocents);
    }),
  );

  test(
    'T04, T06: loops that wait for something impossible, one of them for itself, are found under an open session and under a closed one',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      const poll = 'until false; do sleep 30; done';
      const self = `until [ -z "$(cat /proc/[0-9]*/cmdline 2>/dev/null | grep -a NEVERENDING)" ]; do sleep 31; done; tail log`;
      const calls = [await claude.bash(poll), await claude.bash(self)];
      const sleeps = await pinned(stage, 'sleep 30', 'sleep 31');
      const look = await scan(stage);
      for (const call of calls)
        expect(jobWith(look, call.shell.pid)).toMatchObject({ owner: 'live', command: call.command });
      await claude.crash();
      await expectAllReaped(stage, [...calls.map(({ shell }) => shell), ...sleeps], innocents);
    }),
  );

  test(
    'T09: a bare /bin/zsh without markers, known only by the unlinked output file that it writes to',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      await claude.foreground(`(exec env -i bash -c 'exec -a /bin/zsh sleep 3600') & true`);
      const row = await stage.find('the bare one', ({ argv }) => argv[0] === '/bin/zsh');
      await claude.end();
      const processes = [stage.identity(row.pid)];
      await expectReaped(
        stage,
        { processes, session: claude.session, project: claude.project, command: null, claimed: true },
        innocents,
      );
    }),
  );

  test(
    'T10: the wrapper was killed; the interpreter still writes to tasks/<id>.output',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      onPath(stage, 'python3');
      stage.script(`${claude.project}/migrate.py`, '', 'resident.pl');
      const call = await claude.bash('python3 migrate.py; true');
      const processes = await pinned(stage, 'python3 migrate.py');
      await stage.first.signal(call.shell.pid, 'KILL');
      await claude.crash();
      const leftover = { processes, session: claude.session, project: claude.project, command: null };
      const { job } = await expectReaped(stage, leftover, innocents);
      expect(job).toMatchObject({ task: call.task, output: call.output });
      // The agent reads there what became of its command.
      expect(stage.read(call.output ?? '')).toMatch(/curfew/i);
    }),
  );

  test(
    'T12: workers in their own groups and sessions, far from the tool shell',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      onPath(stage, 'workerd');
      stage.script(`${claude.project}/serve`, '', 'resident.pl');
      await claude.foreground('for n in 1 2 3; do setsid workerd serve >/dev/null 2>&1 & done; true');
      const rows = await stage.until('three', () => {
        const found = stage.table().filter((row) => row.argv.join(' ') === 'workerd serve' && row.sid === row.pid);
        return found.length === 3 && found;
      });
      await claude.end();
      await expectAllReaped(
        stage,
        rows.map((row) => stage.identity(row.pid)),
        innocents,
        { probable: true },
      );
    }),
  );

  test(
    'T24, T25: the tool shell was stopped, but its children keep running',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      stage.write(`${claude.project}/build.sh`, 'n=0; while :; do n=$((n+1)); sh -c "sleep 0.$n; true"; done\n');
      const call = await claude.bash('timeout 36000 bash build.sh; true');
      const processes = await pinned(stage, 'timeout 36000 bash build.sh', 'bash build.sh');
      await stage.first.signal(call.shell.pid, 'KILL');
      await claude.crash();
      await expectAllReaped(stage, processes, innocents);
      const left = stage.table().filter((row) => row.argv.some((word) => word.includes('sleep 0.')));
      expect(left).toEqual([]);
    }),
  );

  test(
    'T26: a job that fills its output file is found by what it writes, and the file stops growing',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      onPath(stage, 'python3');
      stage.script(`${claude.project}/flood.py`, preambleOf({ floods: true }), 'resident.pl');
      const command = 'python3 flood.py; true';
      const call = await claude.bash(command);
      const processes = [call.shell, ...(await pinned(stage, 'python3 flood.py'))];
      await stage.until('it floods', () => stage.read(call.output ?? '').length > 1000);
      await claude.crash();
      await expectReaped(stage, { processes, session: claude.session, project: claude.project, command }, innocents);
      expect(stage.read(call.output ?? '').length).toBeGreaterThan(1000);
    }),
  );

  test(
    'T16: the agent switched to another session; jobs of the first one still belong to it',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      claude.register({ sessionId: 'f3c1f0de-0000-4000-8000-000000000002' });
      const job = jobWith(await scan(stage), call.shell.pid);
      expect(job).toMatchObject({ session: claude.session, project: claude.project, command: 'sleep 3600 | cat' });
    }),
  );

  test(
    'the search that Claude Code runs as itself under another name is part of the job, not an agent',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      stage.script(`${claude.project}/pattern`, '', 'resident.pl');
      // Of two that began in one tick of the clock it is not known which came first.
      const command = `sleep 0.1; (exec -a rg ${claude.executable} pattern); true`;
      const call = await claude.bash(command);
      const processes = [call.shell, ...(await pinned(stage, 'rg pattern'))];
      await claude.crash();
      await expectReaped(stage, { processes, session: claude.session, project: claude.project, command }, innocents);
    }),
  );

  test(
    'a command with a here-document, quotes and line breaks is shown as written',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage, { shell: 'zsh' });
      const command = `cat <<'EOT'\nit's "here"\nEOT\necho 'a' && sleep 3611; true`;
      const call = await claude.bash(command);
      const processes = [call.shell, ...(await pinned(stage, 'sleep 3611'))];
      await claude.crash();
      await expectReaped(stage, { processes, session: claude.session, project: claude.project, command }, innocents);
    }),
  );

  test(
    'a secret in a command line is neither shown nor recorded',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const secret = 'sk-ant-api03-ThisIsNotARealKeyButItLooksLikeOne0123456789';
      const call = await claude.bash(`ANTHROPIC_API_KEY=${secret} sleep 3612; true`);
      await claude.crash();
      const look = await scan(stage);
      expect(jobWith(look, call.shell.pid).command).toContain('sleep 3612');
      expect(JSON.stringify(look)).not.toContain(secret);
      expect(JSON.stringify(look)).not.toContain('scene-secret-never-to-be-seen');
      const reaping = await expectAllReaped(stage, [call.shell]);
      expect(JSON.stringify(reaping)).not.toContain(secret);
      const files = stage.contents('/tmp/curfew-home');
      expect(files.length).toBeGreaterThan(0);
      expect(files.filter((file) => file.includes(secret) || file.includes('scene-secret-never'))).toEqual([]);
    }),
  );
});
