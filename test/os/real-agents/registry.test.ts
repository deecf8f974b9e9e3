import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runCurfew, reap } from '../scene/curfew.ts';
import { bystander, expectUntouched } from '../scene/innocents.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { playOne } from './cell.ts';
import { changes } from './changes.ts';
import { realAgents } from './kinds.ts';
import { observe } from './observe.ts';
import { missingOf, startModel, startSession, withAgents, writeServers } from './session.ts';
import { steps } from './shapes.ts';

const kind = (folder: string) => {
  const found = realAgents.find((one) => one.folder.startsWith(folder));
  if (found === undefined) throw new Error(`there is no ${folder} in build/agents/agents.json`);
  return found;
};
const [copilot, claude] = [kind('copilot'), kind('claude-2.1.3')];

/** The files below a folder of the home whose name fits. */
const filesOf = (stage: Scene, folder: string, name: RegExp): readonly string[] =>
  readdirSync(stage.outside(`${stage.home}/${folder}`), { recursive: true })
    .map(String)
    .filter((file) => name.test(file))
    .map((file) => `${stage.home}/${folder}/${file}`);

describe.skipIf(missingOf(copilot) !== null || missingOf(claude) !== null)('a registry of a real agent', () => {
  test('of a Copilot with an unknown file beside its lock: what it left is found as without', async () => {
    const { cell } = await playOne(copilot, 'killed', 'a look before', {
      afterwards: (stage) => {
        const [lock] = filesOf(stage, '.copilot/session-state', /inuse\.\d+\.lock$/u);
        if (lock === undefined) throw new Error('Copilot keeps no lock');
        stage.write(lock.replace(/lock$/u, 'future'), '');
      },
    });
    expect(cell.servers).toEqual({ proved: copilot.serverProcesses, probable: 0, missed: 0 });
    expect(cell.commands.missed).toBeLessThanOrEqual(2);
  });

  test(
    'of a living Claude Code with a renamed field: nothing of it is ended, and the change is noticed',
    scene(async (stage) => {
      writeServers(stage);
      await startModel(stage);
      const session = await startSession(stage, claude, 'renamed', steps);
      const before = observe(stage, session);
      for (const file of filesOf(stage, '.claude/sessions', /^\d+\.json$/u))
        stage.write(file, stage.read(file).replace('"procStart"', '"procBegan"'));
      const noticed = changes(before, observe(stage, session));
      expect(noticed.map((line) => line.split(' {')[0])).toEqual([
        'registry: new: /tmp/home/.claude/sessions/N.json',
        'registry: gone: /tmp/home/.claude/sessions/N.json',
      ]);
      const innocents = [...session.agents, ...session.servers, ...session.commands]
        .filter((one) => stage.lives(one))
        .map(({ pid }) => bystander(stage, 'of a living session', pid));
      for (let pass = 0; pass < 2; pass++) {
        await runCurfew(stage, ['scan', '--json']);
        await reap(stage, ['--max-age', '0s', '--grace', '1s']);
      }
      expectUntouched(stage, innocents);
    }, withAgents),
  );
});

test('a session that gained a file, a variable or a server in a kernel session of its own is noticed', () => {
  const seen = {
    commandNames: ['CLAUDECODE'],
    serverNames: ['AI_AGENT'],
    wrappers: [],
    commandSessions: ['own'],
    serverSessions: ["the agent's"],
    registry: ['inuse.N.lock'],
  };
  const now = {
    ...seen,
    commandNames: ['CLAUDE_CODE'],
    serverSessions: ['own'],
    registry: ['inuse.N.hold', 'inuse.N.lock'],
  };
  expect(changes(seen, seen)).toEqual([]);
  expect(changes(seen, now)).toEqual([
    'environment of commands: new: CLAUDE_CODE',
    'environment of commands: gone: CLAUDECODE',
    'kernel sessions of servers: new: own',
    "kernel sessions of servers: gone: the agent's",
    'registry: new: inuse.N.hold',
  ]);
});
