import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { reap, runCurfew, scan } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { type Scene, scene } from '../scene/scene.ts';
import { seen, setAgents } from './agents.ts';

const states = {
  'hung-up': 'unreachable',
  'launcher-gone-then-closed': 'unreachable',
  'editor-gone': 'closed-lately',
  'cut-off': 'cut-off',
  'held-by-a-third': 'held',
  'writes-to-a-file': 'headless',
  cron: 'headless',
  'terminal-lives': 'reachable',
} as const;

const openFiles = (stage: Scene, pid: number): readonly string[] =>
  readdirSync(`${stage.proc}/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`${stage.proc}/${pid}/fd/${fd}`)];
    } catch {
      // Closed since the listing.
      return [];
    }
  });

type Kind = keyof typeof states;
const kinds = Object.keys(states) as Kind[];
const endable: ReadonlySet<Kind> = new Set(['hung-up', 'launcher-gone-then-closed', 'cut-off', 'held-by-a-third']);

describe.concurrent('agents that no user can reach, and such as only look so', () => {
  test(
    'each is told apart by what its terminal or its channels are',
    scene(async (stage) => {
      const agents = await setAgents(stage, kinds);
      const look = await scan(stage);
      for (const kind of kinds)
        expect({ kind, state: seen(look, agents[kind]).state }).toEqual({ kind, state: states[kind] });
      const told = kinds.filter((kind) => seen(look, agents[kind]).canEnd);
      expect(new Set(told)).toEqual(endable);
    }),
  );

  test(
    'a scan for people does not say that no session runs beside them, and says how to end one',
    scene(async (stage) => {
      const agents = await setAgents(stage, ['hung-up', 'terminal-lives']);
      const { stdout } = await runCurfew(stage, ['scan']);
      expect(stdout).toContain('2 running sessions');
      expect(stdout).toContain(`curfew reap --agent-pid ${agents['hung-up'].pid}`);
      expect(stdout).not.toContain(`--agent-pid ${agents['terminal-lives'].pid}`);
    }),
  );

  test(
    'a terminal of another devpts proves nothing',
    scene(async (stage) => {
      const agents = await setAgents(stage, ['other-devpts', 'hung-up']);
      const look = await scan(stage);
      expect(seen(look, agents['hung-up']).state).toBe('unreachable');
      expect(seen(look, agents['other-devpts']).state).toBe('unknown');
      const run = await runCurfew(stage, ['reap', '--agent-pid', String(agents['other-devpts'].pid)]);
      expect(run.code).toBe(1);
      expectUntouched(stage, [bystander(stage, 'the agent in a container', agents['other-devpts'].pid)]);
    }),
  );

  test(
    'an agent in a tmux session may be ended while no client is attached, and not with one',
    scene(async (stage) => {
      const idle = 'import time; time.sleep(99999)';
      const program = stage.write('/tmp/work/start.sh', `exec -a claude python3 -c '${idle}' in-tmux\n`);
      const tmux = ['tmux', '-S', '/tmp/work/tmux.sock'];
      await stage.top.begin({
        file: '/usr/bin/tmux',
        argv: ['tmux', '-S', '/tmp/work/tmux.sock', '-f', '/dev/null', 'new-session', '-d', `bash ${program}`],
        env: stage.userEnvironment(),
        cwd: stage.home,
      });
      const row = await stage.find('the agent', ({ argv }) => argv[0] === 'claude' && argv.at(-1) === 'in-tmux');
      const agent = stage.identity(row.pid);
      const alone = seen(await scan(stage), agent);
      expect({ state: alone.state, canEnd: alone.canEnd }).toEqual({ state: 'detached', canEnd: true });
      const dry = await runCurfew(stage, ['reap', '--agent-pid', String(agent.pid), '--dry-run']);
      expect(dry.stdout).toContain('would be ended; nothing was signalled');
      await stage.top.begin({
        file: '/usr/bin/script',
        argv: ['script', '-q', '-c', `${tmux.join(' ')} attach`, '/dev/null'],
        env: { ...stage.userEnvironment(), TERM: 'xterm' },
        cwd: stage.home,
        setsid: true,
        fds: { 0: 'pipe', 1: '/dev/null', 2: '/dev/null' },
      });
      const found = await stage.find('the client', ({ argv }) => argv[0] === 'tmux' && argv.at(-1) === 'attach');
      const client = stage.identity(found.pid);
      const server = await stage.find('the server', ({ pid }) => pid === row.ppid);
      // It opens the client's terminal once that is attached.
      await stage.until('the client is attached', () =>
        openFiles(stage, server.pid).some((target) => /^\/dev\/pts\/\d+$/u.test(target)),
      );
      expect(seen(await scan(stage), agent).state).toBe('reachable');
      const run = await runCurfew(stage, ['reap', '--agent-pid', String(agent.pid)]);
      expect(run.code).toBe(1);
      expectUntouched(stage, [bystander(stage, 'the agent that the user looks at', agent.pid)]);
      await stage.first.signal(client.pid, 'HUP');
      await stage.until('the client is gone', () => !stage.lives(client));
      const done = await reap(stage, ['--agent-pid', String(agent.pid)]);
      expect(done.incidents).toMatchObject([{ outcome: 'reaped' }]);
      expectGone(stage, [agent]);
    }),
  );
});
