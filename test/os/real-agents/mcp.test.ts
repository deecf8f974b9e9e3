import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { curfewFile, history, scan } from '../scene/curfew.ts';
import { bystander, expectUntouched } from '../scene/innocents.ts';
import { type Scene, scene } from '../scene/scene.ts';
import { background, installServer, startClaude, tool } from './claude-with-mcp.ts';
import { realAgents } from './kinds.ts';
import { missingOf, startModel, withAgents } from './session.ts';

const [kind] = realAgents;
if (kind === undefined) throw new Error('there is no real Claude Code in the list');
const missing = missingOf(kind);
if (missing !== null) console.warn(`SKIPPED, curfew mcp in the real ${kind.name}: ${missing}`);

/** How many calls its model makes. */
const calls = 7;
const saidOf = (stage: Scene, name: string): string =>
  stage.has(`/tmp/model/${name}.said`) ? stage.read(`/tmp/model/${name}.said`) : '';

describe('the real Claude Code with curfew mcp', () => {
  test.skipIf(missing !== null || !existsSync(curfewFile))(
    'its model lists, ends and keeps its own work; another session’s job is refused',
    scene(async (stage) => {
      await startModel(stage);
      await installServer(stage);
      const other = await startClaude(stage, 'other', [background('sleep 3803 | cat'), { text: '{{file:end}}' }]);
      await stage.until('the other session has its job', () =>
        stage.table().some(({ argv }) => argv.join(' ') === 'sleep 3803'),
      );
      const idOf = (seconds: number): string =>
        String.raw`"job":"([0-9a-f]{8})","kind":"\w+","command":"sleep ${seconds}`;
      const claude = await startClaude(stage, 'asks', [
        background('sleep 3801 | cat'),
        background('sleep 3802 | cat'),
        { tool: tool('list_my_background_work') },
        { tool: tool('end_my_job'), input: { job: `{{${idOf(3801)}}}` } },
        {
          tool: tool('keep_my_job'),
          input: { job: `{{${idOf(3802)}}}`, minutes: 60, reason: 'the user looks at it' },
        },
        { tool: tool('end_my_job'), input: { job: '{{file:foreign}}' } },
        { tool: tool('list_my_background_work') },
        { text: '{{file:end}}' },
      ]);
      await stage.until('its job is there', () => stage.table().some(({ argv }) => argv.join(' ') === 'sleep 3802'));
      const { jobs, sessions } = await scan(stage, ['--all']);
      const foreign = jobs.find(({ command }) => command.includes('sleep 3803'));
      const innocents = [
        ...[claude, other].map(({ pid }) => bystander(stage, 'an agent', pid)),
        ...(foreign?.members ?? []).map(({ pid }) => bystander(stage, 'the job of another session', pid)),
      ];
      expect(foreign?.owner).toBe('live');
      // To Curfew each of the two is a server of an open session.
      const servers = jobs.filter(({ members }) => members.some(({ args }) => args.endsWith('curfew.js mcp')));
      expect(servers.map(({ kind: of, owner, verdict }) => [of, owner, verdict.action])).toEqual([
        ['server', 'live', 'none'],
        ['server', 'live', 'none'],
      ]);
      stage.write('/tmp/model/foreign', foreign?.id ?? '');
      await stage.until('every call was answered', () => {
        if (!stage.lives(claude)) throw new Error(stage.read('/tmp/said-asks'));
        return saidOf(stage, 'asks').split('"type":"tool_result"').length === calls + 1;
      });
      const said = saidOf(stage, 'asks');
      expect(said).toContain('is not of this session, so it is not touched');
      expect(said).not.toContain('sleep 3803');
      expect(stage.table().some(({ argv }) => argv.join(' ') === 'sleep 3801')).toBe(false);
      const session = sessions.find(({ pid }) => pid === claude.pid)?.id;
      expect(session).toEqual(expect.any(String));
      expect(await history(stage)).toEqual([expect.objectContaining({ decidedBy: 'agent', session })]);
      const kept = (await scan(stage)).jobs.find(({ command }) => command.includes('sleep 3802'));
      expect(kept?.['keptUntil']).toEqual(expect.any(String));
      expectUntouched(stage, innocents);
      for (const { pid } of [claude, other]) await stage.first.signal(pid, 'TERM');
      await stage.until('both have ended', () => !stage.lives(claude) && !stage.lives(other));
      await stage.until('and their servers', () => !stage.table().some(({ argv }) => argv.at(-1) === 'mcp'));
    }, withAgents),
  );
});
