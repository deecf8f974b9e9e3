import { lstatSync, mkdirSync, rmSync, symlinkSync, truncateSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClaude, slug } from '../scene/claude.ts';
import { curfewFile, oneDocument, runCurfew } from '../scene/curfew.ts';
import { type Scene, scene } from '../scene/scene.ts';

const day = 86_400_000;
const swept = z.object({
  dryRun: z.boolean(),
  files: z.array(
    z.object({
      path: z.string(),
      kind: z.string(),
      agent: z.string().nullable(),
      action: z.string(),
      reason: z.string(),
      deleted: z.boolean(),
      inMemory: z.boolean(),
      bytes: z.number(),
    }),
  ),
  heaps: z.array(z.object({ kind: z.string(), path: z.string(), bytes: z.number(), files: z.number() })),
});

const sweep = async (stage: Scene, ...args: readonly string[]): Promise<z.infer<typeof swept>> =>
  swept.parse(oneDocument(await runCurfew(stage, ['sweep', '--json', ...args])));

const reasonsOf = ({ files }: z.infer<typeof swept>): Readonly<Record<string, string>> =>
  Object.fromEntries(files.map(({ path, action, reason }) => [path, `${action}: ${reason}`]));

const age = (stage: Scene, path: string, days: number): void => {
  const at = (Date.now() - days * day) / 1000;
  utimesSync(stage.outside(path), at, at);
};

const aged = (stage: Scene, path: string, days: number, text = 'x'): string => {
  stage.write(path, text);
  age(stage, path, days);
  return path;
};

const transcriptOf = (stage: Scene, { project, session }: FakeClaude): string =>
  `${stage.home}/.claude/projects/${slug(project)}/${session}.jsonl`;

const output = (claude: FakeClaude, name = `b${claude.session.slice(0, 8)}`): string =>
  `${claude.tasks}/${name}.output`;

/** A session that was killed, with one output of a task. */
const dead = async (stage: Scene, project: string, transcriptDays: number | null): Promise<FakeClaude> => {
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/${project}` });
  aged(stage, output(claude), 40, 'output\n');
  await claude.crash();
  const transcript = transcriptOf(stage, claude);
  if (transcriptDays === null) rmSync(stage.outside(transcript));
  else age(stage, transcript, transcriptDays);
  return claude;
};

describe.concurrent('task outputs of Claude Code', () => {
  test(
    'go when their session has ended and its transcript is gone or 30 days old; a younger one can be resumed and keeps them',
    scene(async (stage) => {
      const forgotten = await dead(stage, 'forgotten', null);
      const old = await dead(stage, 'old', 31);
      const resumable = await dead(stage, 'resumable', 1);
      const living = await FakeClaude.start(stage, { project: `${stage.home}/living` });
      aged(stage, output(living), 40);
      age(stage, transcriptOf(stage, living), 40);
      const reported = await sweep(stage);
      expect(reported.dryRun).toBe(true);
      expect(reasonsOf(reported)).toMatchObject({
        [output(forgotten)]: 'delete: owner-dead',
        [output(old)]: 'delete: owner-dead',
        [output(resumable)]: 'report: resumable',
        [output(living)]: 'keep: in-use',
      });
      expect(stage.has(output(forgotten))).toBe(true);
      const text = (await runCurfew(stage, ['sweep', '--yes'])).stdout;
      expect(text).toContain('a resumed session may read');
      expect([forgotten, old, resumable, living].map((one) => stage.has(output(one)))).toEqual([
        false,
        false,
        true,
        true,
      ]);
      expect(stage.has(forgotten.tasks.replace(/\/tasks$/u, ''))).toBe(false);
      expect(stage.has(transcriptOf(stage, old))).toBe(true);
    }),
  );

  test(
    'stay while a process holds one, works in their folder, or a leftover of the session runs',
    scene(async (stage) => {
      const held = await dead(stage, 'held', null);
      const entered = await dead(stage, 'entered', null);
      const watched = await dead(stage, 'watched', null);
      await stage.top.start({
        file: '/bin/bash',
        argv: ['/bin/bash', '-c', 'exec 9<"$1"; sleep 3600; true', 'bash', output(held)],
        env: stage.userEnvironment(),
        setsid: true,
      });
      await stage.top.start({
        file: '/bin/sleep',
        argv: ['sleep', '3601'],
        env: stage.userEnvironment(),
        cwd: entered.tasks,
      });
      await stage.top.start({
        file: '/bin/sleep',
        argv: ['sleep', '3602'],
        env: { ...stage.userEnvironment(), ...watched.environment() },
        setsid: true,
      });
      await stage.until('all run', () => stage.table().filter(({ argv }) => argv[0] === 'sleep').length === 3);
      const reasons = reasonsOf(await sweep(stage, '--yes'));
      expect(reasons).toMatchObject({
        [output(held)]: 'keep: in-use',
        [output(entered)]: 'keep: in-use',
        [output(watched)]: 'keep: owner-lives',
      });
      for (const one of [held, entered, watched]) expect(stage.has(output(one))).toBe(true);
    }),
  );

  test(
    'stay where the end of their session is not proved: a registry that can’t be read, an agent in no registry, another machine',
    scene(async (stage) => {
      const one = await dead(stage, 'one', null);
      expect(reasonsOf(await sweep(stage))).toMatchObject({ [output(one)]: 'delete: owner-dead' });
      const damaged = stage.write(`${stage.home}/.claude/sessions/4711.json`, '{"pid":');
      expect(reasonsOf(await sweep(stage, '--yes'))).toMatchObject({ [output(one)]: 'keep: session-may-live' });
      rmSync(stage.outside(damaged));
      const old = await FakeClaude.start(stage, { version: '2.0.28', project: `${stage.home}/two` });
      expect(reasonsOf(await sweep(stage, '--yes'))).toMatchObject({ [output(one)]: 'keep: session-may-live' });
      await old.crash();
      stage.move(`${stage.home}/.claude/sessions`, `${stage.home}/.claude/sessions.before`);
      expect(reasonsOf(await sweep(stage, '--yes'))).toMatchObject({ [output(one)]: 'keep: session-may-live' });
      expect(stage.has(output(one))).toBe(true);
    }),
  );

  test(
    'a transcript in a second configuration folder can be resumed',
    scene(async (stage) => {
      const one = await dead(stage, 'one', null);
      const other = `${stage.home}/.claude-work/projects/-tmp-home-one/${one.session}.jsonl`;
      stage.write(other, '{}\n');
      expect(reasonsOf(await sweep(stage, '--yes'))).toMatchObject({ [output(one)]: 'report: resumable' });
      expect(stage.has(output(one))).toBe(true);
    }),
  );

  test(
    'no link is followed: neither an output that is one (a transcript of a subagent), nor a folder',
    scene(async (stage) => {
      const one = await dead(stage, 'one', null);
      const precious = aged(stage, `${stage.home}/precious/tasks/b1234abcd.output`, 40, 'precious');
      const link = output(one, 'a1234abcd');
      symlinkSync(precious, stage.outside(link));
      const session = one.tasks.replace(/\/[^/]+\/tasks$/u, '/00000000-0000-4000-8000-00000000000a');
      symlinkSync(`${stage.home}/precious`, stage.outside(session));
      const reasons = reasonsOf(await sweep(stage, '--yes'));
      expect(reasons).toMatchObject({ [output(one)]: 'delete: owner-dead', [link]: 'keep: not-that-type' });
      expect(Object.keys(reasons).filter((path) => path.startsWith(session))).toEqual([]);
      expect(stage.has(precious)).toBe(true);
      expect(lstatSync(stage.outside(link)).isSymbolicLink()).toBe(true);
    }),
  );
});

describe.concurrent('files of other agents', () => {
  test(
    'libraries, notes and snapshots that are old and unused go; used and young ones stay',
    scene(async (stage) => {
      const library = (digit: number): string => `/tmp/.${String(digit).repeat(16)}-00000000.so`;
      const mapped = stage.write(library(2), '');
      await stage.top.start({
        file: '/usr/bin/perl',
        argv: ['perl', '-e', 'open my $f, "<", $ARGV[0]; sleep 3600', mapped],
        env: stage.userEnvironment(),
        setsid: true,
      });
      age(stage, mapped, 3);
      const gone = [
        aged(stage, library(1), 2),
        aged(stage, '/tmp/claude-b71a-cwd', 3),
        aged(stage, '/tmp/gemini-shell-aB3dE6/bgpids.tmp', 3),
        aged(stage, '/tmp/copilot-detached-s2-1795232964792-43c8e917-0000-4000-8000-000000000000.pid', 3),
        aged(stage, `${stage.home}/.codex/shell_snapshots/43c8e917-0000-4000-8000-00000000000a.sh`, 3),
      ];
      const stays = [
        mapped,
        aged(stage, library(3), 0.5),
        aged(stage, '/tmp/claude-b71b-cwd', 1),
        aged(stage, '/tmp/my-claude-b71b-cwd', 30),
        aged(stage, '/tmp/gemini-shell-notes.txt', 30),
        // The output of a session that can be resumed.
        aged(stage, '/tmp/copilot-detached-s2-1795232964792-43c8e917-0000-4000-8000-000000000000.log', 30),
        aged(stage, `${stage.home}/.codex/sessions/2026/11/01/rollout-1.jsonl`, 300),
        aged(stage, `${stage.home}/.codex/state.sqlite-wal`, 300),
      ];
      await stage.until('perl runs', () => stage.table().some(({ argv }) => argv[0] === 'perl' && argv[1] === '-e'));
      const { files } = await sweep(stage, '--yes');
      expect(
        files
          .filter(({ deleted }) => deleted)
          .map(({ path }) => path)
          .toSorted(),
      ).toEqual(gone.toSorted());
      for (const path of gone) expect({ path, there: stage.has(path) }).toEqual({ path, there: false });
      for (const path of stays) expect({ path, there: stage.has(path) }).toEqual({ path, there: true });
      expect(stage.has('/tmp/gemini-shell-aB3dE6')).toBe(false);
    }),
  );

  test(
    'a running agent that is older keeps what it may have made',
    scene(async (stage) => {
      await stage.actor({ argv: ['gemini'], setsid: true });
      const path = '/tmp/gemini-shell-aB3dE6/bgpids.tmp';
      stage.write(path, '');
      const future = (Date.now() + 1000) / 1000;
      utimesSync(stage.outside(path), future, future);
      expect(reasonsOf(await sweep(stage, '--yes'))).toMatchObject({ [path]: 'keep: young' });
      expect(stage.has(path)).toBe(true);
    }),
  );
});

test(
  'sizes of debug logs, transcripts and packages are told, and none of them is deleted',
  scene(async (stage) => {
    const claude = await FakeClaude.start(stage);
    const paths = [
      `${stage.home}/.cache/claude-cli-nodejs/-home-shop/mcp-logs-x/1.txt`,
      `${stage.home}/.claude/debug/1.txt`,
      `${stage.home}/shop/.claude/worktrees/one/file`,
      `${stage.home}/.codex/packages/codex`,
      `${stage.home}/.cache/copilot/pkg/1.0.102/index.js`,
    ].map((path) => aged(stage, path, 400, 'x'.repeat(1000)));
    mkdirSync(stage.outside(`${stage.home}/empty`));
    symlinkSync('/usr', stage.outside(`${stage.home}/.claude/debug/latest`));
    const { heaps } = await sweep(stage, '--yes');
    expect(Object.fromEntries(heaps.map(({ path, kind }) => [path, kind]))).toMatchObject({
      [`${stage.home}/.cache/claude-cli-nodejs`]: 'debug-logs',
      [`${stage.home}/.claude/debug`]: 'debug-logs',
      [`${stage.home}/.codex/packages`]: 'packages',
      [`${stage.home}/.cache/copilot/pkg`]: 'packages',
      [`${stage.home}/.claude/projects`]: 'transcripts',
    });
    expect(heaps.find(({ path }) => path.endsWith('/.claude/debug'))?.bytes).toBeLessThan(2000);
    for (const path of [...paths, transcriptOf(stage, claude)]) expect(stage.has(path)).toBe(true);
    const said = (await runCurfew(stage, ['sweep'])).stdout;
    expect(said).toContain('Also take up space:');
  }),
);

test(
  'debug logs go when the agent’s settings keep them no longer; open ones and other logs stay',
  scene(async (stage) => {
    const id = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
    const log = (digit: string, days: number): string =>
      aged(stage, `${stage.home}/.claude/debug/${id(digit)}.txt`, days, 'x');
    const servers = `${stage.home}/.cache/claude-cli-nodejs/-home-shop/mcp-logs-x`;
    const gone = [log('a', 70), aged(stage, `${servers}/2026-01-17T12-00-00-000Z.jsonl`, 70, 'x')];
    const [kept, open] = [log('b', 50), log('c', 70)] as const;
    const stays = [
      aged(stage, `${stage.home}/.claude/debug/mine.txt`, 400, 'x'),
      aged(stage, `${servers}/mine.txt`, 400, 'x'),
      aged(stage, `${stage.home}/.codex/log/codex-tui.log`, 400, 'x'),
    ];
    stage.write(`${stage.home}/.claude/settings.json`, JSON.stringify({ cleanupPeriodDays: 60 }));
    const pid = await stage.top.start({
      file: '/bin/bash',
      argv: ['/bin/bash', '-c', 'exec 9<"$1"; exec sleep 3600', 'bash', open],
      env: stage.userEnvironment(),
      setsid: true,
    });
    await stage.until('the log is open', () => stage.row(pid)?.argv[0] === 'sleep');
    const found = await sweep(stage, '--yes');
    expect(reasonsOf(found)).toMatchObject({ [kept]: 'keep: retained', [open]: 'keep: in-use' });
    for (const path of gone) expect({ path, there: stage.has(path) }).toEqual({ path, there: false });
    for (const path of [kept, open, ...stays]) expect({ path, there: stage.has(path) }).toEqual({ path, there: true });
  }),
);

test(
  'doctor tells of gigabytes of outputs of ended sessions, and no longer that none pile up',
  scene(async (stage) => {
    expect((await runCurfew(stage, ['doctor'])).stdout).toContain('no outputs pile up');
    const one = await dead(stage, 'one', 1);
    truncateSync(stage.outside(output(one)), 5_000_000_000);
    const said = (await runCurfew(stage, ['doctor'])).stdout.replaceAll(/\s+/gu, ' ');
    expect(said).not.toContain('no outputs pile up');
    expect(said).toMatch(/5\.0+ GB of task outputs/u);
    expect(said).toContain('curfew sweep');
  }),
);

/** Runs it on a terminal of its own, with that answer typed ahead. */
const onTerminal = async (stage: Scene, answer: string): Promise<string> => {
  const typed = stage.write(`/tmp/scene/typed-${answer}`, `${answer}\n`);
  const said = stage.write(`/tmp/scene/said-${answer}`, '');
  const { pid } = await stage.top.begin({
    file: '/usr/bin/script',
    argv: ['script', '-qec', `'${process.execPath}' '${curfewFile}' sweep`, '/dev/null'],
    env: { ...stage.userEnvironment(), CURFEW_HOME: '/tmp/curfew-home', TERM: 'xterm' },
    cwd: stage.home,
    setsid: true,
    fds: { 0: typed, 1: said, 2: said },
  });
  await stage.top.ended(pid);
  return stage.read(said);
};

test(
  'on a terminal sweep shows what it found and asks; without one it only reports',
  scene(async (stage) => {
    const path = aged(stage, '/tmp/claude-b71a-cwd', 3);
    const reported = await runCurfew(stage, ['sweep']);
    expect(reported.stdout).toContain(path);
    expect(reported.stdout).toContain('Would be deleted');
    expect(reported.stderr).toContain('--yes');
    expect(stage.has(path)).toBe(true);
    expect(await onTerminal(stage, 'n')).toContain(path);
    expect(stage.has(path)).toBe(true);
    expect(await onTerminal(stage, 'y')).toContain('Deleted 1 file');
    expect(stage.has(path)).toBe(false);
  }),
);
