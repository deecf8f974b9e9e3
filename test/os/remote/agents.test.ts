import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { seen, setAgents } from '../agents-unreachable/agents.ts';
import { oneDocument } from '../scene/curfew.ts';
import { bystander, expectUntouched } from '../scene/innocents.ts';
import { scanDocument } from '../scene/schemas.ts';
import { far, type FarMachine, missing, skipped } from './far-machine.ts';

const scan = async (machine: FarMachine) =>
  scanDocument
    .extend({ host: z.literal('web1') })
    .parse(oneDocument(await machine.run(['scan', '--json', '--host', 'web1'])));

describe.skipIf(missing !== null)(`agents out of reach on another machine ${skipped}`, () => {
  test.concurrent(
    'are shown with their state, and never ended from here',
    far(async (machine) => {
      const { stage } = machine;
      const states = {
        'hung-up': 'unreachable',
        'launcher-gone-then-closed': 'unreachable',
        'editor-gone': 'closed-lately',
        'cut-off': 'cut-off',
        'held-by-a-third': 'held',
        'writes-to-a-file': 'headless',
        cron: 'headless',
        'terminal-lives': 'reachable',
        'other-devpts': 'unknown',
      } as const;
      const kinds = Object.keys(states) as (keyof typeof states)[];
      const agents = await setAgents(stage, kinds);
      const daemon = await stage.actor({
        argv: ['codex', 'app-server', '--listen', 'unix://', '--managed-daemon'],
        setsid: true,
      });
      const service = stage.identity(daemon.pid);
      const innocents = [
        ...kinds.map((kind) => bystander(stage, kind, agents[kind].pid)),
        bystander(stage, 'the daemon of an agent', daemon.pid),
      ];
      const look = await scan(machine);
      expect(seen(look, service)).toMatchObject({ state: 'service', canEnd: false });
      for (const kind of kinds) {
        const { state, canEnd } = seen(look, agents[kind]);
        expect({ kind, state, canEnd }).toEqual({ kind, state: states[kind], canEnd: false });
      }
      const { stdout } = await machine.run(['scan', '--host', 'web1']);
      expect(stdout).toContain('its terminal is hung up');
      expect(stdout).toContain('it can’t be ended from here');
      expect(stdout).not.toContain('--agent-pid');
      await machine.run(['reap', '--host', 'web1', '--max-age', '0s', '--grace', '1s']);
      expectUntouched(stage, innocents);
    }),
  );

  test.concurrent(
    'without perl over there whether a terminal is hung up is unknown',
    far(async (machine) => {
      const agents = await setAgents(machine.stage, ['hung-up', 'terminal-lives']);
      await machine.once('mount --bind /dev/null "$(readlink -f /usr/bin/perl)"');
      const look = await scan(machine);
      const told = Object.values(agents).map((agent) => seen(look, agent).text);
      const why = 'it is unknown whether a user can reach it: whether its terminal is hung up can’t be seen';
      expect(told).toEqual([why, why]);
    }),
  );
});
