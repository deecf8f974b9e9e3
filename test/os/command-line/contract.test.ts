import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { manyUsers, unlessManyUsers } from '../machine-facts.ts';
import { history, jobWith, oneDocument, patient, reap, runCurfew, scan } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { expectGone, innocent } from '../scene/innocents.ts';
import { expectAllReaped } from '../scene/outcome.ts';
import { scanDocument } from '../scene/schemas.ts';
import { scene } from '../scene/scene.ts';

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
// oxlint-disable-next-line no-control-regex -- the escape character is what is looked for
const colours = /\u001b\[/;

describe.concurrent('the command line keeps its contract', () => {
  const wrong: readonly (readonly string[])[] = [
    ['frobnicate'],
    ['scan', '--bogus'],
    ['reap', '--max-age', '5x'],
    ['reap', '--max-age', '1.5h'],
    ['reap', '--max-age', '-1'],
    ['reap', '--grace', 'soon'],
    ['reap', '--signal', 'KILL'],
    ['reap', '--job', 'ffffff'],
    ['keep', 'ffffff'],
    ['unkeep', 'ffffff'],
    ['keep'],
    ['history', '--outcome', 'perhaps'],
    ['history', '--since', 'yesterday'],
    ['history', '--agent', 'nobody'],
    ['history', '--limit', 'many'],
    ['settings', 'get', 'nothing'],
    ['settings', 'set', 'mode', 'maybe'],
    ['settings', 'set', 'backgroundMaxElapsedSecondsHardCap', '0'],
    ['settings', 'set', 'backgroundMaxElapsedSecondsHardCap', '999999'],
    ['settings', 'set', 'backgroundKillSignal', 'KILL'],
    ['watch', '--enforce', '--observe'],
  ];
  test(
    'a wrong call ends with 2, one line on standard error and nothing on standard output',
    scene(async (stage) => {
      for (const args of wrong) {
        const run = await runCurfew(stage, args);
        expect({ args, code: run.code, stdout: run.stdout }).toEqual({ args, code: 2, stdout: '' });
        expect({ args, lines: lines(run.stderr).length }).toEqual({ args, lines: 1 });
      }
    }),
  );

  test(
    'without jobs scan says what it checked; --json is one document',
    scene(async (stage) => {
      const run = await runCurfew(stage, ['scan']);
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(run.stdout).toMatch(/\d+ process/);
      const json = await runCurfew(stage, ['scan', '--json']);
      expect(json).toMatchObject({ code: 0, stderr: '' });
      expect(scanDocument.parse(oneDocument(json))).toMatchObject({ jobs: [], mode: 'observe' });
      expect(lines((await runCurfew(stage, ['reap'])).stdout)).toHaveLength(1);
    }),
  );

  test(
    'the table has the verdict and the worst job first, reasons in words where asked for, at most 100 columns but for a path, and colours only on a terminal without NO_COLOR',
    scene(async (stage) => {
      const [dead, living] = [
        await FakeClaude.start(stage),
        await FakeClaude.start(stage, { project: `${stage.home}/${'long-'.repeat(20)}name` }),
      ];
      const long = `sleep 3600; ${'echo "日本語 and a very long line" && '.repeat(12)} true`;
      const calls = [await living.bash(long), await dead.bash(long)];
      await dead.crash();
      expect(await runCurfew(stage, ['settings', 'set', 'orphanGraceSeconds', '0'])).toMatchObject({ code: 0 });
      const ids: string[] = [];
      for (const { shell } of calls) ids.push(jobWith(await scan(stage), shell.pid).id);
      const [livingId = '', deadId = ''] = ids;
      for (const args of [['scan'], ['scan', '--explain'], ['scan', '--explain', '--all']]) {
        const { stdout, code } = await runCurfew(stage, args);
        expect(code).toBe(0);
        expect(lines(stdout).filter((line) => stringWidth(line) > 100 && line.trim().includes(' '))).toEqual([]);
        expect(stdout.indexOf(deadId)).toBeLessThan(stdout.indexOf(livingId));
        expect(lines(stdout)[0]).toMatch(/^1 leftover \(1 (proved|probable)\) holds .* · 1 running · observe mode/u);
        // One line a job: the verdict, the heads, two jobs (`lines` has no blank ones).
        const second = lines(stdout).findIndex((line) => line.includes(livingId));
        const reasons = /session .*(ended|gone|dead)|(ended|gone|dead).* session/iu.test(stdout);
        const isExplained = args.includes('--explain');
        expect({ isOneLine: second === 3, reasons }).toEqual({ isOneLine: !isExplained, reasons: isExplained });
        expect(stdout).toContain('Next: ');
        expect(stdout).not.toMatch(colours);
      }
      // script(1) gives it a terminal.
      const terminal = async (env: string): Promise<string> => {
        const inner = `${env} stty cols 100; ${env} '${process.execPath}' '${(await import('../scene/curfew.ts')).curfewFile}' scan > /dev/tty`;
        const out = stage.write('/tmp/scene/terminal.out', '');
        const argv = ['script', '-qec', inner, '/dev/null'];
        const env0 = { ...stage.userEnvironment(), CURFEW_HOME: '/tmp/curfew-home', TERM: 'xterm-256color' };
        const pid = await stage.top.start({ file: '/usr/bin/script', argv, env: env0, setsid: true, fds: { 1: out } });
        await stage.top.ended(pid);
        const text = stage.read(out);
        stage.write(out, '');
        return text;
      };
      expect(await terminal('')).toMatch(colours);
      const plain = await terminal('NO_COLOR=1');
      expect(plain).toContain(deadId);
      expect(plain).not.toMatch(colours);
    }),
  );

  test(
    'reap --dry-run signals and records nothing; reap --job, --session and --snapshot end running jobs on request',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const calls = [
        await claude.bash('sleep 3600 | cat'),
        await claude.bash('sleep 3601 | cat'),
        await claude.bash('sleep 3602 | cat'),
      ];
      const [first, second, third] = calls;
      if (first === undefined || second === undefined || third === undefined) throw new Error('no calls');
      const { id } = jobWith(await scan(stage), first.shell.pid);
      expect(await reap(stage, ['--dry-run', '--session', claude.session])).toMatchObject({ dryRun: true });
      expect(calls.map(({ shell }) => stage.lives(shell))).toEqual([true, true, true]);
      expect(await history(stage)).toEqual([]);
      expect(await reap(stage, ['--max-age', '0s'])).toMatchObject({ incidents: [] });

      const byHand = await reap(stage, ['--job', id, '--grace', '60s']);
      expect(byHand.incidents).toMatchObject([{ job: id, decidedBy: 'command', outcome: 'reaped' }]);
      expectGone(stage, [first.shell]);
      expect([second, third].map(({ shell }) => stage.lives(shell))).toEqual([true, true]);
      // A server of the user's that read the marks from a `.env`: of this session only by them.
      const start = { file: '/bin/sleep', argv: ['sleep', '3699'], env: claude.environment(), cwd: stage.home };
      const marked = stage.identity(await stage.top.start({ ...start, setsid: true }));
      await reap(stage, ['--session', claude.session, '--signal', 'INT', '--grace', '1s']);
      expect(stage.lives(marked)).toBe(true);
      expectGone(
        stage,
        calls.map(({ shell }) => shell),
      );
      const asked = await runCurfew(stage, ['reap', '--session', claude.session]);
      expect(asked.stdout).toContain('1 job not ended: only marks name it.');
      await reap(stage, ['--session', claude.session, '--probable', '--yes']);
      expectGone(stage, [marked]);
      expect(stage.lives(claude.identity)).toBe(true);
      const fourth = await claude.bash('sleep 3603 | cat');
      const snapshot =
        /snapshot-bash-\d+-[a-z0-9]+\.sh/.exec(stage.row(fourth.shell.pid)?.argv.at(-1) ?? '')?.[0] ?? '';
      const reads = await (await FakeClaude.start(stage)).bash(`tail -f /dev/null '/x/shell-snapshots/${snapshot}'`);
      // An empty variable, and the beginning of a name.
      await reap(stage, ['--snapshot', '']);
      await reap(stage, ['--snapshot', 'snapshot-bash-']);
      expect(stage.lives(fourth.shell)).toBe(true);
      await reap(stage, ['--snapshot', snapshot, '--grace', '1s']);
      expectGone(stage, [fourth.shell]);
      expect(stage.lives(reads.shell)).toBe(true);
      const record = await history(stage);
      expect(record).toHaveLength(5);
    }),
  );

  test(
    'history prints a table, JSON and CSV, filtered and limited',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      await claude.crash();
      await expectAllReaped(stage, [call.shell], [], patient);
      for (const args of [
        [],
        ['--since', '1h'],
        ['--agent', 'claude-code'],
        ['--project', claude.project],
        ['--outcome', 'reaped'],
        ['--limit', '1'],
      ]) {
        expect({ args, found: (await history(stage, args)).length }).toEqual({ args, found: 1 });
      }
      const [one] = await history(stage);
      if (one === undefined) throw new Error('it was recorded');
      for (const id of [one.id, one.job]) {
        expect(await history(stage, [id])).toEqual([one]);
        const whole = await runCurfew(stage, ['history', id]);
        for (const part of ['Why', 'Evidence', 'Time line', 'TERM sent to', 'outcome: ended', one.id])
          expect(whole.stdout).toContain(part);
      }
      expect(await runCurfew(stage, ['history', 'zzz'])).toMatchObject({ code: 2, stdout: '' });
      expect(await runCurfew(stage, ['history', one.id, '--since', '1h'])).toMatchObject({ code: 2 });
      for (const args of [
        ['--agent', 'codex'],
        ['--outcome', 'survived'],
        ['--project', '/elsewhere'],
      ]) {
        expect({ args, found: (await history(stage, args)).length }).toEqual({ args, found: 0 });
      }
      const table = await runCurfew(stage, ['history']);
      expect(table.code).toBe(0);
      expect(table.stdout).toContain('sleep 3600 | cat');
      expect(lines(table.stdout).filter((line) => stringWidth(line) > 100)).toEqual([]);
      const csv = lines((await runCurfew(stage, ['history', '--format', 'csv'])).stdout);
      expect(csv).toHaveLength(2);
      const cells = (line = ''): number => line.replaceAll(/"(?:[^"]|"")*"/g, 'quoted').split(',').length;
      expect(cells(csv[0])).toBe(cells(csv[1]));
      expect(csv[1]).toContain('sleep 3600 | cat');
    }),
  );

  test(
    'settings: get, set, unset, path; Claude Code’s settings are the defaults; a broken file is set aside with a message',
    scene(async (stage) => {
      const value = async (key: string): Promise<string> =>
        (await runCurfew(stage, ['settings', 'get', key])).stdout.trim();
      const set = (key: string, to: string) => runCurfew(stage, ['settings', 'set', key, to]);
      expect(await value('backgroundMaxElapsedSeconds')).toContain('1800');
      stage.write(
        `${stage.home}/.claude/settings.json`,
        JSON.stringify({ bash: { backgroundMaxElapsedSeconds: 900 } }),
      );
      expect(await value('backgroundMaxElapsedSeconds')).toContain('900');
      expect(await set('backgroundMaxElapsedSeconds', '1200')).toMatchObject({ code: 0 });
      expect(await value('backgroundMaxElapsedSeconds')).toContain('1200');
      expect(await runCurfew(stage, ['settings', 'unset', 'backgroundMaxElapsedSeconds'])).toMatchObject({ code: 0 });
      expect(await value('backgroundMaxElapsedSeconds')).toContain('900');
      expect(await set('mode', 'enforce')).toMatchObject({ code: 0 });
      expect(await scan(stage)).toMatchObject({ mode: 'enforce' });
      const path = (await runCurfew(stage, ['settings', 'path'])).stdout.trim();
      expect(path).toMatch(/^\/tmp\/curfew-home\//);
      expect(JSON.parse(stage.read(path))).toMatchObject({ mode: 'enforce' });
      stage.write(path, '{"mode": "enforce", ');
      const run = await runCurfew(stage, ['scan', '--json']);
      expect(run.stderr).not.toBe('');
      expect(oneDocument(run)).toMatchObject({ mode: 'observe' });
      expect(stage.contents('/tmp/curfew-home')).toContain('{"mode": "enforce", ');
    }),
  );

  test.skipIf(!manyUsers)(
    `only the caller’s processes are candidates, or those of another user with --uid; doctor answers${unlessManyUsers}`,
    scene(async (stage) => {
      const nobody = 65534;
      const claude = await FakeClaude.start(stage);
      const theirs = await innocent(stage, {
        argv: ['node', 'theirs.js'],
        cwd: '/tmp',
        env: claude.environment(),
        uid: nobody,
        setsid: true,
      });
      const pids = async (args: readonly string[]): Promise<readonly number[]> =>
        (await scan(stage, ['--all', ...args])).jobs.flatMap((job) => job.members.map(({ pid }) => pid));
      expect(await pids([])).not.toContain(theirs.identity.pid);
      expect(await pids(['--uid', String(nobody)])).toContain(theirs.identity.pid);
      const doctor = await runCurfew(stage, ['doctor']);
      expect([0, 1]).toContain(doctor.code);
      expect(doctor.stdout).toMatch(/pidfd/i);
      expect(typeof oneDocument(await runCurfew(stage, ['doctor', '--json']))).toBe('object');
    }),
  );
});
