import { bashForm, callForm, quoted, type FakeAgent } from './agents.ts';
import type { Process, Start } from './machine.ts';
import type { WineJob } from './plan.ts';
import { bareEnvironment, type World } from './world.ts';

/** Those of Claude Code, and what comes nearest to them for other agents. */
const kindFor = (kind: WineJob, agent: FakeAgent): WineJob => {
  if (agent.kind === 'claude-code') return kind;
  return kind === 'git-bash' ? 'background' : kind === 'powershell' ? 'waits' : kind;
};

/** Lets an agent make one call, with all that this leaves. */
export const playJob = (world: World, agent: FakeAgent, asked: WineJob): void => {
  if (!world.isAlive(agent.process)) return;
  const kind = kindFor(asked, agent);
  const output = world.output(agent);
  const shared = kind === 'powershell' || kind === 'in-the-users-console';
  const form = callForm(agent.kind, `npm run ${kind}`, shared ? 'powershell' : 'usual');
  const shell = world.owe(agent, `shell of ${kind}`, agent.process, { ...form, output });
  // A program below one without a console would get one of its own, and a window with it.
  const console = form.console === 'shared' ? 'shared' : 'none';
  const below = (parent: Process, more: Partial<Start> = {}): Process =>
    world.owe(agent, kind, parent, { file: 'node', args: 'server.js', console, output, ...more });
  switch (kind) {
    case 'waits':
    case 'powershell':
    case 'in-the-users-console':
      below(shell);
      return;
    case 'background':
      below(shell);
      return world.after(2, () => world.end(shell));
    case 'detached': {
      const middle = below(shell);
      return world.after(1, () => {
        if (!world.isAlive(middle)) return;
        below(middle, { console: 'none', deaf: true });
        world.after(1, () => world.end(middle, shell));
      });
    }
    case 'pipeline':
      below(shell);
      below(below(shell, { file: 'python', args: '-' }));
      return world.after(3, () => world.end(shell));
    case 'deaf':
      below(shell, { console: 'own', deaf: true });
      return world.after(1, () => world.end(shell));
    case 'own-console':
      below(shell, { console: 'own' });
      return;
    case 'suspended':
      below(shell, { suspended: true });
      return world.after(2, () => world.end(shell));
    case 'git-bash': {
      // It starts twice with the same arguments; what it starts of its own kind hands on nothing.
      const inner = below(shell, { file: 'bash', args: `-c ${quoted(bashForm(`npm run ${kind}`))}` });
      below(inner, { file: 'tail', args: '-f log', environment: bareEnvironment });
      below(inner);
      return world.after(2, () => world.end(shell, inner));
    }
    case 'dead-from-birth': {
      // A program of Git Bash becomes another one by starting it and ending.
      const before = below(shell, { file: 'bash', args: '-c tail' });
      const environment = agent.kind === 'claude-code' ? bareEnvironment : agent.environment;
      below(before, { file: 'tail', args: '-f log', environment });
      world.end(before);
      return world.after(1, () => world.end(shell));
    }
  }
};
