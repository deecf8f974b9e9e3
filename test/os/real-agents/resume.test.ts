import { readdirSync, utimesSync } from 'node:fs';
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
