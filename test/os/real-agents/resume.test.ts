import { lstatSync, readdirSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { programOf } from '../../../build/agents/table.ts';
import { oneDocument, runCurfew } from '../scene/curfew.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { realAgents } from './kinds.ts';
import type { Step } from './model/step.ts';
import { missingOf, startModel, withAgents } from './session.ts';

const claude = realAgents.find(({ folder }) => folder.startsWith('claude-2.1.3'));
if (claude === undefined) throw new Error('there is no Claude Code 2.1.3 in build/agents/agents.json');

const swept = z.object({ files: z.array(z.object({ path: z.string(), action: z.string(), reason: z.string() })) });
const result = z.looseObject({ type: z.literal('result'), session_id: z.string() });

/** Lets the real agent take these steps to its end; returns the id of its session. */
const ask = async (stage: Scene, label: string, steps: readonly Step[], more: readonly string[]): Promise<string> => {
  const { argv, env, files } = claude.start(programOf(claude), `SCRIPTED:${label} Do your work.`);
  for (const path of Object.keys(files)) stage.write(`${stage.home}/${path}`, '{"mcpServers": {}}');
  stage.write(`/tmp/model/${label}.json`, JSON.stringify(steps));
  const out = stage.write(`/tmp/said-${label}`, '');
  const pid = await stage.top.start({
    file: '/usr/bin/env',
    argv: ['env', ...argv, ...more],
    env: { ...stage.userEnvironment(), ...env },
    cwd: stage.folder(`${stage.home}/shop`),
    setsid: true,
    fds: { 0: '/dev/null', 1: out, 2: out },
  });
  await stage.top.ended(pid);
  const last = stage.read(out).trim().split('\n').at(-1) ?? '';
  return result.parse(JSON.parse(last)).session_id;
};

const filesBelow = (stage: Scene, folder: string, end: string): readonly string[] =>
  readdirSync(stage.outside(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name}`);

const aged = (stage: Scene, path: string, days: number): void => {
  const at = Date.now() / 1000 - days * 86_400;
  utimesSync(stage.outside(path), at, at);
};

describe.skipIf(missingOf(claude) !== null)('a session of the real Claude Code', () => {
  test(
    'resumes after a sweep and reads its output, as long as it has a transcript',
    scene(async (stage) => {
      await startModel(stage);
      const work = 'for n in 1 2 3; do echo remembered-$n; done';
      const id = await ask(
        stage,
        'works',
        [{ command: work, background: true }, { command: 'sleep 1' }, { text: 'Done.' }],
        [],
      );
      const [output = ''] = filesBelow(stage, '/tmp/claude-0', '.output');
      expect(output).toContain(id);
      aged(stage, output, 60);
      const [transcript = ''] = filesBelow(stage, `${stage.home}/.claude/projects`, `${id}.jsonl`);
      aged(stage, transcript, 20);
      const { files } = swept.parse(oneDocument(await runCurfew(stage, ['sweep', '--json', '--yes'])));
      expect(files.find(({ path }) => path === output)).toMatchObject({ reason: 'resumable' });
      const read = [{ tool: 'Read', input: { file_path: output } }, { text: 'Done.' }];
      expect(await ask(stage, 'reads', read, ['--resume', id])).toBe(id);
      expect(stage.read('/tmp/model/reads.said')).toContain('remembered-3');
    }, withAgents),
  );
});

/** How the sessions of another agent are listed and resumed. */
interface Resumed {
  /** The words that make it resume a session, behind its program and before the question. */
  readonly resume: (id: string) => readonly string[];
  /** Its sessions: as it lists them, or by the files that it lists them from. */
  readonly ids: (stage: Scene, run: (words: readonly string[]) => Promise<string>) => Promise<readonly string[]>;
  /** Where it keeps an output that is too long for its model; null: with all else that was said. */
  readonly outputs: string | null;
}

const others: Readonly<Record<string, Resumed>> = {
  codex: {
    resume: (id) => ['exec', 'resume', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', id],
    ids: async (stage) =>
      filesBelow(stage, `${stage.home}/.codex/sessions`, '.jsonl').map((path) => path.slice(-42, -6)),
    outputs: null,
  },
  opencode: {
    resume: (id) => ['run', '--session', id],
    ids: async (_, run) => [...(await run(['session', 'list'])).matchAll(/ses_\w+/gu)].map(([id]) => id),
    outputs: '.local/share/opencode/tool-output',
  },
};

/** Files below the home and the temporary folder. */
const allFiles = (stage: Scene): readonly string[] =>
  [stage.home, '/tmp']
    .flatMap((folder) => filesBelow(stage, folder, ''))
    .filter((path) => lstatSync(stage.outside(path)).isFile());

/** What Bun unpacks at each start, and leaves: no session is resumed from it. */
const isUnpacked = (path: string): boolean => /^\/tmp\/\.[0-9a-f]+-[0-9a-f]+\.(?:so|node)$/u.test(path);

/** Which are played; `npm run test:resume` plays all. */
const wanted = (process.env['CURFEW_TEST_RESUME'] ?? 'codex').split(',');

const kinds = Object.entries(others)
  .filter(([agent]) => wanted.includes(agent))
  .map(([agent, how]) => {
    const kind = realAgents.find((one) => one.agent === agent);
    if (kind === undefined) throw new Error(`there is no ${agent} in build/agents/agents.json`);
    return { agent, kind, how };
  });

describe.each(kinds)('the sessions of the real $agent', ({ kind, how: { resume, ids, outputs } }) => {
  test.skipIf(missingOf(kind) !== null)(
    'are all listed, resumed and read from after a sweep',
    scene(async (stage) => {
      await startModel(stage);
      const file = programOf(kind);
      const { env, files, argv } = kind.start(file, '');
      for (const [path, text] of Object.entries(files))
        stage.write(
          `${stage.home}/${path}`,
          text.replace(/\[mcp_servers[\s\S]*|,\s*"mcp": \{[\s\S]*/u, (servers) => (servers.startsWith(',') ? '}' : '')),
        );
      let count = 0;
      const run = async (words: readonly string[]): Promise<string> => {
        count += 1;
        const out = stage.write(`/tmp/said-${count}`, '');
        const pid = await stage.top.start({
          file: '/usr/bin/env',
          argv: ['env', file, ...words],
          env: { ...stage.userEnvironment(), ...env },
          cwd: stage.folder(`${stage.home}/shop`),
          setsid: true,
          fds: { 0: '/dev/null', 1: out, 2: out },
        });
        await stage.top.ended(pid);
        return stage.read(out);
      };
      const asks = async (label: string, command: string, words: readonly string[]): Promise<void> => {
        stage.write(`/tmp/model/${label}.json`, JSON.stringify([{ command }, { text: 'Done.' }]));
        await run([...words, `SCRIPTED:${label} Do your work.`]);
      };
      for (const label of ['one', 'two']) await asks(label, `seq -f remembered-${label}-%g 30000`, argv.slice(1, -1));
      const listed = (await ids(stage, run)).toSorted();
      expect(listed).toHaveLength(2);
      const before = allFiles(stage);
      for (const path of before) aged(stage, path, 60);
      const swept60 = swept.parse(oneDocument(await runCurfew(stage, ['sweep', '--json', '--yes'])));
      const deleted = swept60.files.filter(({ action }) => action === 'delete').map(({ path }) => path);
      expect(deleted.filter((path) => !isUnpacked(path))).toEqual([]);
      expect(before.filter((path) => !stage.has(path)).toSorted()).toEqual(deleted.toSorted());
      expect((await ids(stage, run)).toSorted()).toEqual(listed);
      const read = outputs === null ? 'echo remembered-one-30000' : `cat ${stage.home}/${outputs}/* | grep 30000`;
      for (const [index, id] of listed.entries()) {
        await asks(`again-${index}`, read, resume(id));
        expect(stage.read(`/tmp/model/again-${index}.said`)).toContain('remembered-one-30000');
      }
      // No new ones: each went on.
      expect((await ids(stage, run)).toSorted()).toEqual(listed);
    }, withAgents),
  );
});
