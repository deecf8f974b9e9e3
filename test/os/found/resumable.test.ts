import { randomUUID } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClaude } from '../scene/claude.ts';
import { oneDocument, runCurfew } from '../scene/curfew.ts';
import { type Scene, scene } from '../scene/scene.ts';

const day = 86_400_000;
const swept = z.object({ files: z.array(z.object({ path: z.string(), action: z.string(), reason: z.string() })) });

const sweep = async (stage: Scene): Promise<Readonly<Record<string, string>>> => {
  const { files } = swept.parse(oneDocument(await runCurfew(stage, ['sweep', '--json', '--yes'])));
  return Object.fromEntries(files.map(({ path, action, reason }) => [path, `${action}: ${reason}`]));
};

const aged = (stage: Scene, path: string, days: number, text = 'x'): string => {
  stage.write(path, text);
  const at = (Date.now() - days * day) / 1000;
  utimesSync(stage.outside(path), at, at);
  return path;
};

const project = '-tmp-home-shop';
const outputOf = (session: string): string => `/tmp/claude-0/${project}/${session}/tasks/b1234abcd.output`;
const transcriptIn = (folder: string, session: string): string => `${folder}/projects/${project}/${session}.jsonl`;

/** The pid namespace as entries of this machine's registry name it. */
const domainOf = async (stage: Scene): Promise<string> => {
  const claude = await FakeClaude.start(stage);
  // Nothing was said in it yet.
  rmSync(stage.outside(`${stage.home}/.claude/projects`), { recursive: true, force: true });
  const { pidDomain } = z.object({ pidDomain: z.string() }).parse(JSON.parse(stage.read(claude.registration)));
  return pidDomain;
};

/** A session that ended, as the registry of its folder tells. */
const register = (stage: Scene, folder: string, session: string, pidDomain: string | null): void => {
  const entry = { pid: 30_000 + Math.floor(Math.random() * 90_000), sessionId: session, cwd: '/tmp/home/shop' };
  const whole = { ...entry, procStart: '4711', ...(pidDomain === null ? {} : { pidDomain }) };
  stage.write(`${folder}/sessions/${entry.pid}.json`, JSON.stringify(whole));
};

/** A session of Claude Code that used this folder, looked at while it lived. */
const useFolder = async (stage: Scene, folder: string): Promise<void> => {
  const pid = await stage.top.start({
    file: '/bin/sleep',
    argv: ['sleep', '3600'],
    env: { ...stage.userEnvironment(), CLAUDECODE: '1', CLAUDE_CONFIG_DIR: folder },
    setsid: true,
  });
  expect((await runCurfew(stage, ['scan'])).code).toBe(0);
  await stage.first.signal(pid, 'KILL');
  await stage.top.ended(pid);
};

/** A session with an old output, whose end is certain, and of whose transcript nothing is left. */
const endedSession = (stage: Scene, domain: string, folder = `${stage.home}/.claude`): string => {
  const session = randomUUID();
  aged(stage, outputOf(session), 40);
  register(stage, folder, session, domain);
  return session;
};

describe.concurrent('outputs of a session that can be resumed stay', () => {
  test(
    'where its folder was named by a process that a look before this one saw',
    scene(async (stage) => {
      const domain = await domainOf(stage);
      for (const name of ['.config/claude', 'work/.claude-config', '.ccs/instances/work']) {
        const folder = `${stage.home}/${name}`;
        await useFolder(stage, folder);
        const session = endedSession(stage, domain);
        aged(stage, transcriptIn(folder, session), 1);
        expect([name, (await sweep(stage))[outputOf(session)]]).toEqual([name, 'report: resumable']);
        expect(stage.has(outputOf(session))).toBe(true);
      }
    }),
  );

  test(
    'where its transcript was never found: it may lie in a folder that no look saw',
    scene(async (stage) => {
      await domainOf(stage);
      const session = randomUUID();
      aged(stage, outputOf(session), 40);
      aged(stage, transcriptIn(`${stage.home}/somewhere/else`, session), 1);
      aged(stage, transcriptIn(`${stage.home}/.claude`, randomUUID()), 1);
      expect((await sweep(stage))[outputOf(session)]).toBe('report: resumable');
      expect(stage.has(outputOf(session))).toBe(true);
    }),
  );

  test.each([
    ['99999 days', '{"cleanupPeriodDays": 99999}', 'report: resumable'],
    ['what can’t be read', '{"cleanupPeriodDays": ', 'report: resumable'],
    ['what is no number', '{"cleanupPeriodDays": "never"}', 'report: resumable'],
    ['30 days', '{"cleanupPeriodDays": 30}', 'delete: owner-dead'],
    ['nothing of it', '{}', 'delete: owner-dead'],
  ])('where its agent keeps its transcript for %s', async (_, settings, expected) => {
    await scene(async (stage) => {
      const domain = await domainOf(stage);
      const session = endedSession(stage, domain);
      aged(stage, transcriptIn(`${stage.home}/.claude`, session), 40);
      stage.write(`${stage.home}/.claude/settings.json`, settings);
      expect((await sweep(stage))[outputOf(session)]).toBe(expected);
    })();
  });

  test(
    'where its agent has left its transcript beyond the days that any settings say',
    scene(async (stage) => {
      const domain = await domainOf(stage);
      const session = endedSession(stage, domain);
      aged(stage, transcriptIn(`${stage.home}/.claude`, session), 40);
      // Its start would have cleared that one away.
      const later = aged(stage, transcriptIn(`${stage.home}/.claude`, randomUUID()), 5);
      expect((await sweep(stage))[outputOf(session)]).toBe('report: resumable');
      rmSync(stage.outside(later));
      // It is 20 days old by a clock that was put 20 days forward.
      const clock = stage.read('/tmp/curfew-home/clock.json');
      const back = (_: string, ahead: string): string => `"aheadMs":${Number(ahead) - 20 * day}`;
      stage.write('/tmp/curfew-home/clock.json', clock.replaceAll(/"aheadMs":([\d.]+)/gu, back));
      expect((await sweep(stage))[outputOf(session)]).toBe('report: resumable');
      stage.write('/tmp/curfew-home/clock.json', clock);
      expect((await sweep(stage))[outputOf(session)]).toBe('delete: owner-dead');
    }),
  );

  test(
    'where the registry’s entry says less than usual',
    scene(async (stage) => {
      const domain = await domainOf(stage);
      const [vague, full] = [randomUUID(), endedSession(stage, domain)];
      aged(stage, outputOf(vague), 40);
      register(stage, `${stage.home}/.claude`, vague, null);
      const reasons = await sweep(stage);
      expect(reasons[outputOf(full)]).toBe('delete: owner-dead');
      expect(reasons[outputOf(vague)]).toBe('keep: session-may-live');
    }),
  );

  test(
    'where a fork of it can be resumed',
    scene(async (stage) => {
      const domain = await domainOf(stage);
      const session = endedSession(stage, domain);
      const told = JSON.stringify({ text: `Output is being written to: ${outputOf(session)}` });
      aged(stage, transcriptIn(`${stage.home}/.claude`, randomUUID()), 1, `${told}\n`);
      expect((await sweep(stage))[outputOf(session)]).toBe('report: resumable');
    }),
  );

  test.each(['registry', 'transcript'] as const)(
    'where a process names a folder whose %s says that it is over',
    async (what) => {
      await scene(async (stage) => {
        const domain = await domainOf(stage);
        const [session, folder] = [randomUUID(), '/tmp/scene/named'];
        aged(stage, outputOf(session), 40);
        // Where the user's own agent keeps it, which no look saw.
        aged(stage, transcriptIn(`${stage.home}/somewhere/else`, session), 1);
        if (what === 'registry') register(stage, folder, session, domain);
        else aged(stage, transcriptIn(folder, session), 4000);
        await useFolder(stage, folder);
        expect((await sweep(stage))[outputOf(session)]).toBe('report: resumable');
        rmSync(stage.outside(folder), { recursive: true });
        expect((await sweep(stage))[outputOf(session)]).toBe('report: resumable');
      })();
    },
  );

  test(
    'behind a mount, also one of the same file system',
    scene(async (stage) => {
      const domain = await domainOf(stage);
      const session = endedSession(stage, domain);
      const own = `/tmp/claude-0/${project}/${session}`;
      const elsewhere = stage.folder('/tmp/scene/elsewhere');
      aged(stage, `${elsewhere}/tasks/b1234abcd.output`, 40);
      const mount = await stage.top.start({
        file: '/bin/mount',
        argv: ['mount', '--bind', elsewhere, own],
        env: stage.userEnvironment(),
      });
      await stage.top.ended(mount);
      const reasons = await sweep(stage);
      expect(reasons[outputOf(session)]).toBeUndefined();
      expect(readFileSync(stage.outside(`${elsewhere}/tasks/b1234abcd.output`), 'utf8')).toBe('x');
    }),
  );

  const program = 'setInterval(() => undefined, 1e6)';

  test.each([
    ['a wrapped program', '/opt/.claude-unwrapped', ['/opt/.claude-unwrapped', '-e', program]],
    ['a launcher', '/opt/node', ['node', '/opt/happy/claude_local_launcher.cjs']],
    ['its package under another name', '/opt/node', ['node', '/opt/agent/start.js']],
    ['a link to a script of its package', '/opt/node', ['node', '/opt/bin/cc']],
    ['an emulator', '/opt/node', ['qemu-x86_64', '-e', program, '/opt/bin/claude']],
    ['a program in its folder', '/opt/node', ['worker', '-e', `process.chdir('/tmp/home/.claude');${program}`]],
    ['a program that Bun packed', '/opt/packed', ['packed', '-e', program]],
  ])('while an agent under another name runs: %s', async (name, executable, argv) => {
    await scene(async (stage) => {
      const domain = await domainOf(stage);
      const session = endedSession(stage, domain);
      stage.write('/tmp/opt/happy/claude_local_launcher.cjs', program);
      stage.write('/tmp/opt/agent/start.js', program);
      stage.write('/tmp/opt/agent/package.json', '{"name": "@anthropic-ai/claude-code"}');
      stage.write('/tmp/opt/agent/dist/package.json', '{"type": "commonjs"}');
      stage.write('/tmp/opt/agent/dist/main.js', program);
      mkdirSync(stage.outside('/tmp/opt/bin'), { recursive: true });
      symlinkSync('../agent/dist/main.js', stage.outside('/tmp/opt/bin/cc'));
      const file = executable.replace(/^\/opt/u, '/tmp/opt');
      mkdirSync(stage.outside('/tmp/opt'), { recursive: true });
      copyFileSync(process.execPath, stage.outside(file));
      chmodSync(stage.outside(file), 0o755);
      if (name.includes('Bun')) {
        const { appendFileSync } = process.getBuiltinModule('node:fs');
        appendFileSync(stage.outside(file), '\n---- Bun! ----\n');
      }
      const words = argv.map((word) => word.replaceAll(/^\/opt/gu, '/tmp/opt'));
      const pid = await stage.top.start({
        file,
        argv: words,
        env: stage.userEnvironment(),
        setsid: true,
      });
      await stage.until('it runs', () => stage.row(pid)?.argv.join(' ') === words.join(' '));
      expect((await sweep(stage))[outputOf(session)]).toBe('keep: session-may-live');
      await stage.first.signal(pid, 'KILL');
      await stage.top.ended(pid);
      expect((await sweep(stage))[outputOf(session)]).toBe('delete: owner-dead');
    })();
  });
});

/** What is known of one session in a random home. */
interface Drawn {
  readonly folder: 'usual' | 'beside' | 'seen' | 'unseen';
  /** Days since its transcript was written; null: its agent cleared it away. */
  readonly written: number | null;
  readonly entry: 'none' | 'full' | 'vague';
  /** Its transcript was moved to another folder. */
  readonly moved: Drawn['folder'] | null;
  /** Another session of this home took over what it was told. */
  readonly forked: boolean;
}

const folder = fc.constantFrom<Drawn['folder'][]>('usual', 'beside', 'seen', 'unseen');
const otherAgents = ['copilot', 'codex', 'gemini', 'opencode', 'pi', 'qwen', 'cline', 'kimi'] as const;
const home = fc.record({
  agents: fc.array(fc.constantFrom(...otherAgents), { minLength: 1, maxLength: 12 }),
  keeps: fc.constantFrom(null, 7, 30, 99_999, 'never'),
  sessions: fc.array(
    fc.record({
      folder,
      written: fc.constantFrom(1, 20, 40, null, null),
      entry: fc.constantFrom<Drawn['entry'][]>('none', 'full', 'full', 'vague'),
      // Where no agent was ever used nothing can be resumed.
      moved: fc.option(fc.constantFrom<Drawn['folder'][]>('usual', 'beside', 'seen'), { freq: 4 }),
      forked: fc.boolean(),
    }),
    { minLength: 8, maxLength: 16 },
  ),
});

/** What sessions of other agents read when they are resumed, and what some of them remember. */
const ofOthers = {
  copilot: (of, id) => [
    `/tmp/copilot-detached-1-${Date.now()}-${id}.log`,
    `${of}/.copilot/session-state/${id}/events.jsonl`,
    `${of}/.copilot/session-state/${id}/workspace.yaml`,
    `${of}/.copilot/session-state/${id}/files/paste-1.txt`,
  ],
  codex: (of, id) => [`${of}/.codex/sessions/2026/09/01/rollout-${id}.jsonl`, `${of}/.codex/history.jsonl`],
  gemini: (of, id) => [
    `${of}/.gemini/tmp/shop/chats/session-${id}.json`,
    `${of}/.gemini/tmp/shop/tool-outputs/run_shell_command_${Date.now()}.txt`,
  ],
  opencode: (of, id) => [
    `${of}/.local/share/opencode/storage/session/${id}.json`,
    `${of}/.local/share/opencode/tool-output/tool_${id}`,
  ],
  pi: (of, id) => [
    `${of}/.pi/agent/sessions/--tmp-home-shop--/2026-09-01T00-00-00-000Z_${id}.jsonl`,
    `/tmp/pi-bash-${id.slice(0, 8)}.log`,
  ],
  qwen: (of, id) => [
    `${of}/.qwen/projects/-tmp-home-shop/chats/${id}.jsonl`,
    `${of}/.qwen/tmp/shop/run_shell_command_${id}.output`,
  ],
  cline: (of, id) => [
    `${of}/.cline/data/sessions/${id}/${id}.json`,
    `${of}/.cline/data/sessions/${id}/${id}.messages.json`,
    `/tmp/cline-${id}.log`,
  ],
  kimi: (of, id) => [
    `${of}/.kimi-code/sessions/shop/${id}/state.json`,
    `${of}/.kimi-code/sessions/shop/${id}/tasks/bash-${id.slice(0, 8)}/output.log`,
  ],
} satisfies Readonly<Record<string, (of: string, id: string) => readonly string[]>>;

test('in random homes no output goes that a session which can be listed would read', async () => {
  const played = { deleted: 0, readable: 0 };
  const check = async (
    stage: Scene,
    { keeps, sessions, agents }: typeof home extends fc.Arbitrary<infer H> ? H : never,
  ) => {
    const domain = await domainOf(stage);
    const folders: Readonly<Record<Drawn['folder'], string>> = {
      usual: `${stage.home}/.claude`,
      beside: `${stage.home}/.claude-work`,
      seen: `${stage.home}/.config/claude`,
      unseen: `${stage.home}/private/claude`,
    };
    await useFolder(stage, folders.seen);
    for (const path of Object.values(folders))
      if (keeps !== null) stage.write(`${path}/settings.json`, JSON.stringify({ cleanupPeriodDays: keeps }));
    const keptDays = keeps === null ? 30 : typeof keeps === 'number' ? keeps : Number.POSITIVE_INFINITY;
    const readable: string[] = [];
    for (const { folder: own, written, entry, moved, forked } of sessions) {
      const session = randomUUID();
      aged(stage, outputOf(session), 60);
      if (entry !== 'none') register(stage, folders[own], session, entry === 'full' ? domain : null);
      const isListed = written !== null && written < keptDays;
      if (written !== null) {
        const path = aged(stage, transcriptIn(folders[own], session), written);
        if (moved !== null && moved !== own) {
          const target = transcriptIn(folders[moved], session);
          stage.folder(target.slice(0, target.lastIndexOf('/')));
          renameSync(stage.outside(path), stage.outside(target));
        }
      }
      if (forked) aged(stage, transcriptIn(folders.usual, randomUUID()), 0, `told: ${outputOf(session)}\n`);
      if (isListed || (forked && keptDays > 0)) readable.push(outputOf(session));
    }
    for (const agent of agents)
      readable.push(...ofOthers[agent](stage.home, randomUUID()).map((path) => aged(stage, path, 60)));
    const reasons = await sweep(stage);
    played.deleted += Object.values(reasons).filter((reason) => reason.startsWith('delete')).length;
    played.readable += readable.length;
    for (const path of readable) expect([path, stage.has(path), reasons[path]]).toEqual([path, true, reasons[path]]);
  };
  const runs = Number(process.env['CURFEW_TEST_HOMES'] ?? 4);
  await fc.assert(
    fc.asyncProperty(home, async (drawn) => scene((stage) => check(stage, drawn))()),
    { numRuns: runs, seed: 4, endOnFailure: true },
  );
  expect(played.deleted).toBeGreaterThan(0);
  expect(played.readable).toBeGreaterThan(0);
});
