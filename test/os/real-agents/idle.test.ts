import { readdirSync, statSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { programOf } from '../../../build/agents/table.ts';
import { oneDocument, reap, runCurfew } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import type { Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { realAgents } from './kinds.ts';
import type { Step } from './model/step.ts';
import { missingOf, startModel, withAgents } from './session.ts';

const [claude] = realAgents;
if (claude?.agent !== 'claude-code') throw new Error('the first agent of build/agents/agents.json is Claude Code');

/** A client that starts an agent, sends it one message, and holds its ends from then on. */
const client = `import json, subprocess, sys, time
out = open(sys.argv[1], 'w')
p = subprocess.Popen(sys.argv[3:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=out, start_new_session=True)
p.stdin.write((json.dumps({'type': 'user', 'message': {'role': 'user', 'content': sys.argv[2]}}) + '\\n').encode()); p.stdin.flush()
for line in p.stdout: out.write(line.decode()); out.flush()
time.sleep(99999)`;

const argvOf = (prompt: string, words: readonly string[]): readonly [string, ...string[]] => {
  const { argv } = claude.start(programOf(claude), prompt);
  const [file, print, , ...rest] = argv;
  return [file, print ?? '-p', ...words, ...rest.filter((word) => !word.includes('mcp'))];
};

const start = async (stage: Scene, label: string, steps: readonly Step[]): Promise<Identity> => {
  const { env } = claude.start(programOf(claude), '');
  stage.write(`/tmp/model/${label}.json`, JSON.stringify(steps));
  const said = stage.write(`/tmp/said-${label}`, '');
  const held = argvOf('', ['--input-format', 'stream-json']);
  await stage.top.begin({
    file: '/usr/bin/python3',
    argv: ['python3', '-c', client, said, `SCRIPTED:${label} Do your work.`, ...held],
    env: { ...stage.userEnvironment(), ...env },
    cwd: stage.folder(`${stage.home}/shop`),
    setsid: true,
    fds: { 0: '/dev/null' },
  });
  const row = await stage.find(
    label,
    ({ argv, ppid }) => argv[0] === held[0] && stage.row(ppid)?.argv[4] === `SCRIPTED:${label} Do your work.`,
  );
  return stage.identity(row.pid);
};

const entrySchema = z.looseObject({ sessionId: z.string(), status: z.string(), statusUpdatedAt: z.number() });
const session = z.looseObject({
  pid: z.number().nullable(),
  idle: z.looseObject({ state: z.string(), text: z.string() }).nullable(),
  resume: z.string().nullable(),
});

const transcriptOf = (stage: Scene, id: string): string => {
  const folder = `${stage.home}/.claude/projects`;
  const names = readdirSync(stage.outside(folder), { recursive: true, encoding: 'utf8' });
  return `${folder}/${names.find((name) => name.endsWith(`${id}.jsonl`)) ?? 'none'}`;
};

describe.skipIf(missingOf(claude) !== null)('the real Claude Code that a living client holds', () => {
  test(
    'says that it is idle, is ended by its user, and goes on with its transcript; one at work stays',
    scene(async (stage) => {
      await startModel(stage);
      const agent = await start(stage, 'first', [{ text: 'Remembered.' }]);
      const atWork = await start(stage, 'works', [{ command: 'tail -f /dev/null' }]);
      const working = await stage.find('its command', ({ argv }) => argv.join(' ') === 'tail -f /dev/null');
      const innocents = [bystander(stage, 'at work', atWork.pid), bystander(stage, 'its command', working.pid)];
      await stage.until('it has answered', () => stage.read('/tmp/said-first').includes('"type":"result"'));
      const path = `${stage.home}/.claude/sessions/${agent.pid}.json`;
      const said = (): z.infer<typeof entrySchema> => entrySchema.parse(JSON.parse(stage.read(path)));
      await stage.until('it says that it is idle', () => said().status === 'idle');
      const entry = said();
      // As if two days had gone by since: all that it writes after its answer is written by then.
      const atMs = Date.now() - 2 * 86_400_000;
      const transcript = transcriptOf(stage, entry.sessionId);
      let rests = 0;
      await stage.until('nothing more is written', () => {
        const isOld = statSync(stage.outside(transcript)).mtimeMs < atMs + 1000 && said().statusUpdatedAt === atMs;
        rests = isOld ? rests + 1 : 0;
        stage.write(path, JSON.stringify({ ...entry, statusUpdatedAt: atMs }));
        utimesSync(stage.outside(transcript), atMs / 1000, atMs / 1000);
        return rests > 40;
      });
      const sessions = z.object({ sessions: z.array(session) });
      const found = sessions.parse(oneDocument(await runCurfew(stage, ['sessions', '--json']))).sessions;
      const resume = `claude --resume ${entry.sessionId}`;
      expect(found.find(({ pid }) => pid === agent.pid)).toMatchObject({ idle: { state: 'idle' }, resume });
      expect(found.find(({ pid }) => pid === atWork.pid)).toMatchObject({ idle: { state: 'in-use' } });
      const refused = await runCurfew(stage, ['reap', '--agent-pid', String(atWork.pid)]);
      expect(refused.code).toBe(1);
      const done = await reap(stage, ['--agent-pid', String(agent.pid)]);
      expect(done.incidents).toMatchObject([{ outcome: 'reaped' }]);
      expect(JSON.stringify(done)).toContain(resume);
      expectGone(stage, [agent]);
      expectUntouched(stage, innocents);
      stage.write('/tmp/model/again.json', JSON.stringify([{ text: 'Done.' }]));
      const out = stage.write('/tmp/said-again', '');
      const again = await stage.top.start({
        file: '/usr/bin/env',
        argv: ['env', ...argvOf('', ['SCRIPTED:again Go on.', '--resume', entry.sessionId])],
        env: { ...stage.userEnvironment(), ...claude.start(programOf(claude), '').env },
        cwd: `${stage.home}/shop`,
        setsid: true,
        fds: { 0: '/dev/null', 1: out, 2: out },
      });
      await stage.top.ended(again);
      const whole = stage.read(transcript);
      expect(whole).toContain('SCRIPTED:first');
      expect(whole).toContain('SCRIPTED:again');
    }, withAgents),
  );
});
