import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Simulated, Start } from '../../windows/simulated-windows.ts';
import { WindowsStage } from '../../windows/windows-stage.ts';

/** Agents, with what their harness puts into the environment of its servers. */
const agents = {
  codex: ['Path=C:\\'],
  claude: ['Path=C:\\', 'AI_AGENT=claude-code_2-1-329_harness', 'CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS=x'],
} as const;
type Agent = keyof typeof agents;

/** What a server is started through: nothing, or the `cmd` and the Node of `npx`. */
const shapes = ['direct', 'behind-npx', 'with-a-helper'] as const;

interface Plan {
  readonly agent: Agent;
  /** Looks before each of these. */
  readonly servers: readonly { readonly shape: (typeof shapes)[number]; readonly at: number }[];
  readonly launchersEnd: number | null;
  readonly endsAt: number | null;
  readonly restartsAt: number | null;
  readonly refuses: { readonly at: number; readonly what: string } | null;
}

const looks = 12;
const moment = fc.integer({ min: 0, max: looks - 1 });
const plan: fc.Arbitrary<Plan> = fc.record({
  agent: fc.constantFrom('codex', 'claude'),
  servers: fc.array(fc.record({ shape: fc.constantFrom(...shapes), at: moment }), { minLength: 1, maxLength: 4 }),
  launchersEnd: fc.option(moment),
  endsAt: fc.option(moment),
  restartsAt: fc.option(moment),
  refuses: fc.option(fc.record({ at: moment, what: fc.constantFrom('memory', 'process 0', 'token', 'windows') })),
});

/** Plays servers of one agent; gives what was asked or ended, and what the last look said. */
const play = (given: Plan) => {
  const stage = new WindowsStage();
  stage.allServers = true;
  stage.restart();
  const { kernel } = stage;
  const shell = kernel.start(kernel.explorer, { image: 'pwsh.exe', commandLine: 'C:\\x\\pwsh.exe', console: true });
  const image = `${given.agent}.exe`;
  const agent = kernel.start(shell, { image, commandLine: `C:\\x\\${image}`, environment: ['Path=C:\\'] });
  const started: Simulated[] = [];
  const launchers: Simulated[] = [];
  const start = (parent: Simulated, name: string, more: Start = {}): Simulated => {
    const standard = [`pipe:${name} in`, `pipe:${name} out`, `pipe:${name} err`];
    const one = kernel.start(parent, {
      commandLine: `node.exe ${name}.js`,
      environment: agents[given.agent],
      standard,
      ...more,
    });
    started.push(one);
    return one;
  };
  const npx = { image: 'cmd.exe', commandLine: 'C:\\Windows\\System32\\cmd.exe /d /s /c "npx x"' } as const;
  for (let look = 0; look < looks; look += 1) {
    kernel.refused = new Set();
    // A kernel that refuses is no kernel to begin with: then ps-list would be used.
    if (given.restartsAt === look) stage.restart();
    kernel.refused = new Set(given.refuses?.at === look ? [given.refuses.what] : []);
    if (!agent.ended)
      given.servers.forEach(({ shape, at }, index) => {
        if (at !== look) return;
        const name = `${shape} ${index}`;
        const first = start(agent, name, shape === 'direct' || shape === 'with-a-helper' ? {} : npx);
        if (shape === 'with-a-helper') start(first, `${name} helper`);
        if (shape === 'direct' || shape === 'with-a-helper') return;
        launchers.push(first);
        start(start(first, name), name);
      });
    if (given.launchersEnd === look)
      for (const one of launchers) {
        kernel.end(one);
        kernel.start(shell, { pid: one.pid, image: 'mine.exe', commandLine: 'mine.exe' });
      }
    if (given.endsAt === look) kernel.end(agent);
    stage.pass(look % 3 === 2 ? 20_000 : 5);
    stage.look();
  }
  kernel.refused = new Set();
  stage.pass(5);
  const standings = [...stage.look().jobs.values()].map(({ job, verdict }) => ({
    standing: job.server?.standing ?? 'no server',
    action: verdict.action,
    shown: job.members.map(({ row }) => Number(row.pid)),
  }));
  return { sent: kernel.sent, started, agent, standings, problems: stage.problems };
};

test('a server of Windows is never asked to end and never ended, whatever happens around it', () => {
  fc.assert(
    fc.property(plan, (given) => {
      const { sent, standings } = play(given);
      expect(sent).toEqual([]);
      for (const { standing, action } of standings) {
        expect(['living', 'reported']).toContain(standing);
        expect(action).toBe('none');
      }
    }),
    { numRuns: 200 },
  );
});

test('every server of an agent that lives and was always seen is shown', () => {
  fc.assert(
    fc.property(plan, (given) => {
      const { started, standings } = play({ ...given, endsAt: null, refuses: null, launchersEnd: null });
      const shown = new Set(standings.flatMap((one) => one.shown));
      expect(started.map(({ pid }) => pid).filter((pid) => !shown.has(pid))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
