import type { AgentPlan } from '../played/agent-plans.ts';
import { claudeShell, environments } from '../unit/jobs/plant.ts';
import type { Opened, Simulated, SimulatedKernel } from './simulated-kernel.ts';

// What lives on a random Mac: agents and what their calls start, and everything that is none of
// their leftovers however much it looks so. A change of the machine happens between two looks.

/** Agents whose calls are plain shells, and one whose calls have a wrapper. */
export const macAgents = ['codex', 'copilot', 'opencode', 'claude-code'] as const;
type MacAgent = (typeof macAgents)[number];

/** What a call starts and leaves. All of it is due once its agent is gone, or past the hard cap. */
export const macJobs = [
  'waits',
  'background',
  'exec',
  'marked',
  'daemon',
  'deaf',
  'forks-when-asked',
  'pipeline',
  'execs-as-orphan',
  'works',
] as const;
type MacJob = (typeof macJobs)[number];

/** What may never hear a signal: the user's own, and what launchd or another user started. */
const strangers = ['user-sleep', 'user-orphan', 'editor-task', 'opened-app', 'launchd-job', 'other-user'] as const;
type MacStranger = (typeof strangers)[number];

/** The same below an agent. */
const spared = [
  'hook-daemon',
  'helper',
  'kept-in-text',
  'kept-and-retitled',
  'tmux',
  'unseen',
  // Of these there is one proof alone, and the world fails without the reading that gives it.
  'window',
  'unknown-terminal',
  'server-in-use',
  'pipe-in-use',
  'debugged',
  'bundle-of-launchd',
] as const;

/** What may never hear a signal. */
export const macInnocents = [...strangers, ...spared] as const;
type MacInnocent = (typeof macInnocents)[number];

/** An agent of a world. */
export type MacAgentPlan = AgentPlan<MacAgent, MacJob, MacInnocent>;

/**
 * What happens to Curfew or to the machine before a look. `refuse`: one kind of call is refused in
 * that look. `veil`: from that look on, one kind of call about what is started then or later is.
 */
export interface Disturbance {
  readonly at: number;
  readonly kind: 'restart' | 'refuse' | 'reuse' | 'veil';
  readonly which: number;
}

/** A world. */
export interface MacPlan {
  readonly agents: readonly MacAgentPlan[];
  readonly disturbances: readonly Disturbance[];
}

const isStranger = (kind: MacInnocent): kind is MacStranger => strangers.some((one) => one === kind);

const noInput: readonly Opened[] = [{ fd: 0, kind: 'file', path: '/dev/null', device: true }];
const piped: readonly Opened[] = [{ fd: 0, kind: 'pipe', handle: 71, peer: 72 }];
const session = '43c8e917-0000-4000-8000-00000000000a';

const marksOf = (agent: MacAgent, pid: number): readonly string[] => {
  const of = {
    codex: () => environments.codex(session),
    copilot: () => environments.copilot(session),
    opencode: () => environments.opencode(pid),
    'claude-code': () => ({ CLAUDECODE: '1', CLAUDE_PID: String(pid), CLAUDE_CODE_SESSION_ID: session }),
  }[agent]();
  return Object.entries(of).map(([name, value]) => `${name}=${value}`);
};

/** A process of a job. */
export interface DueProcess {
  readonly process: Simulated;
  readonly what: string;
  readonly agent: Simulated;
  /** The looks before which its job was begun, and it was started. */
  readonly begun: number;
  readonly at: number;
}

/** The processes of a world, as they come and go. */
export class MacWorld {
  readonly kernel: SimulatedKernel;
  /** Unique ids of what may never hear a signal, with what each is. */
  readonly innocent = new Map<number, string>();
  /** Processes of jobs that every look could follow from their start, with what each is. */
  readonly due: DueProcess[] = [];
  readonly ended: number[] = [];
  /** Processes of jobs that do something before each look. */
  readonly busy: DueProcess[] = [];
  readonly #later: { readonly at: number; readonly happen: () => void }[] = [];
  #look = 0;

  constructor(kernel: SimulatedKernel) {
    this.kernel = kernel;
  }

  /** What was put off to this look happens. */
  reach(look: number): void {
    this.#look = look;
    for (const { at, happen } of this.#later) if (at === look) happen();
    for (const { process } of this.busy) process.calls += 1;
  }

  /** An agent in a terminal of the user. */
  raise(plan: MacAgentPlan): void {
    const { kernel } = this;
    const terminal = this.#spare(
      'terminal',
      kernel.launch({ argv: ['/Applications/iTerm.app/Contents/MacOS/iTerm2'] }),
    );
    const shell = this.#spare(
      'login shell',
      kernel.start(terminal, { argv: ['-zsh'], path: '/bin/zsh', setsid: true, tty: 0x1000_0003 }),
    );
    const name = plan.agent === 'claude-code' ? 'claude' : plan.agent;
    const agent = this.#spare(plan.agent, kernel.start(shell, { argv: [`/opt/homebrew/bin/${name}`], group: true }));
    for (const { kind, at } of plan.jobs) this.#at(at, () => this.#work(plan.agent, agent, kind));
    for (const { kind, at } of plan.innocents)
      this.#at(at, () => {
        if (isStranger(kind)) this.#stranger(kind, marksOf(plan.agent, agent.pid), shell);
        else if (this.#isAlive(agent)) this.#spared(plan.agent, agent, shell, kind);
      });
    if (plan.endsAt !== null) this.#at(plan.endsAt, () => this.#end(agent));
  }

  #at(look: number, happen: () => void): void {
    this.#later.push({ at: look, happen });
  }

  #after(looks: number, happen: () => void): void {
    this.#at(this.#look + looks, happen);
  }

  #spare(what: string, process: Simulated): Simulated {
    this.innocent.set(process.uniqueId, what);
    return process;
  }

  #isAlive(process: Simulated): boolean {
    return this.kernel.processes.get(process.pid) === process;
  }

  #end(...processes: readonly Simulated[]): void {
    for (const process of processes) {
      if (!this.#isAlive(process)) continue;
      this.kernel.end(process);
      this.ended.push(process.pid);
    }
  }

  /** Starts the shell of a call. */
  #call(kind: MacAgent, agent: Simulated, text: string, opened = noInput): Simulated {
    const argv = kind === 'claude-code' ? claudeShell(text) : ['/bin/zsh', '-lc', text];
    return this.kernel.start(agent, { argv, setsid: true, opened });
  }

  #work(of: MacAgent, agent: Simulated, kind: MacJob): void {
    if (!this.#isAlive(agent)) return;
    const { kernel } = this;
    const begun = this.#look;
    const owe = (process: Simulated): Simulated => {
      this.due.push({ process, what: `${kind} of ${of}`, agent, begun, at: this.#look });
      return process;
    };
    const sleep = (parent: Simulated, more: { readonly setsid?: boolean } = {}): Simulated =>
      owe(kernel.start(parent, { argv: ['/bin/sleep', '999'], ...more }));
    const shell = owe(this.#call(of, agent, `${kind} &`));
    switch (kind) {
      case 'waits':
        sleep(shell);
        return;
      case 'background':
        sleep(shell);
        return this.#after(2, () => this.#end(shell));
      case 'exec':
        return this.#after(1, () => this.#isAlive(shell) && kernel.exec(shell, { argv: ['/usr/bin/tail', '-f', 'x'] }));
      case 'marked':
        owe(kernel.start(shell, { argv: ['/opt/homebrew/bin/node', 'a.js'], env: marksOf(of, agent.pid) }));
        return this.#after(1, () => this.#end(shell));
      case 'daemon': {
        const middle = sleep(shell);
        return this.#after(1, () => {
          if (!this.#isAlive(middle)) return;
          sleep(middle, { setsid: true });
          this.#end(middle, shell);
        });
      }
      case 'deaf':
        sleep(shell).deaf = true;
        return this.#after(1, () => this.#end(shell));
      case 'forks-when-asked': {
        const forker = sleep(shell);
        forker.onSignal = () => {
          delete forker.onSignal;
          sleep(forker, { setsid: true });
        };
        return;
      }
      case 'works': {
        const process = sleep(shell);
        this.busy.push({ process, what: `a working command of ${of}`, agent, begun, at: begun });
        return;
      }
      case 'pipeline':
        sleep(shell);
        sleep(sleep(shell));
        return this.#after(3, () => this.#end(shell));
      case 'execs-as-orphan': {
        const orphan = sleep(shell);
        this.#after(1, () => this.#end(shell));
        return this.#after(2, () => this.#isAlive(orphan) && kernel.exec(orphan, { argv: ['/usr/bin/tail'] }));
      }
    }
  }

  /** @param marks of an agent, which what it opened has inherited */
  #stranger(kind: MacStranger, marks: readonly string[], shell: Simulated): void {
    const { kernel } = this;
    const spare = (process: Simulated): Simulated => this.#spare(kind, process);
    switch (kind) {
      case 'user-sleep':
        return void spare(kernel.start(shell, { argv: ['/bin/sleep', '999'], group: true }));
      case 'user-orphan':
        return void spare(kernel.launch({ argv: ['/bin/zsh', '-lc', 'sleep 999'] }));
      case 'editor-task': {
        const editor = spare(kernel.launch({ argv: ['/Applications/Visual Studio Code.app/Contents/MacOS/Electron'] }));
        const task = spare(kernel.start(editor, { argv: ['/bin/zsh', '-lc', 'make'], setsid: true, opened: noInput }));
        spare(kernel.start(task, { argv: ['/bin/sleep', '999'] }));
        return this.#after(2, () => this.#end(editor, task));
      }
      case 'opened-app':
        return void spare(kernel.launch({ argv: ['/Applications/Word.app/Contents/MacOS/Word'], env: marks }));
      case 'launchd-job':
        return void spare(kernel.launch({ argv: ['/opt/homebrew/bin/redis-server'], env: marks }));
      case 'other-user':
        return void spare(kernel.launch({ argv: ['/opt/homebrew/bin/node', 'b.js'], env: marks, uid: 502 }));
    }
  }

  #spared(of: MacAgent, agent: Simulated, shell: Simulated, kind: Exclude<MacInnocent, MacStranger>): void {
    const { kernel } = this;
    const spare = (process: Simulated): Simulated => this.#spare(kind, process);
    const sleep = (parent: Simulated): Simulated => spare(kernel.start(parent, { argv: ['/bin/sleep', '999'] }));
    const marks = marksOf(of, agent.pid);
    switch (kind) {
      case 'hook-daemon': {
        const hook = spare(this.#call('codex', of === 'codex' ? agent : shell, 'daemon &', piped));
        sleep(hook);
        return this.#after(1, () => this.#end(hook));
      }
      case 'helper':
        return void sleep(spare(kernel.start(agent, { argv: ['/bin/sh', '-c', 'server'] })));
      case 'kept-in-text': {
        const call = spare(this.#call(of, agent, 'CURFEW_KEEP=1 sleep 999 &'));
        sleep(call);
        return this.#after(2, () => this.#end(call));
      }
      case 'kept-and-retitled': {
        const call = spare(this.#call(of, agent, 'node k.js &'));
        const argv = ['/opt/homebrew/bin/node', 'k.js'];
        const node = spare(kernel.start(call, { argv, env: [...marks, 'CURFEW_KEEP=1'] }));
        return this.#after(2, () => {
          node.title = 'server';
          this.#end(call);
        });
      }
      case 'tmux': {
        const call = this.#call(of, agent, 'tmux new -d');
        const server = spare(
          kernel.start(call, { argv: ['/opt/homebrew/bin/tmux', 'new', '-d'], env: marks, setsid: true }),
        );
        const inside = spare(
          kernel.start(server, { argv: ['-zsh'], path: '/bin/zsh', setsid: true, tty: 0x1000_0009 }),
        );
        sleep(inside);
        return this.#after(1, () => this.#end(call));
      }
      case 'window': {
        const call = this.#call(of, agent, 'target/debug/app &');
        const app = spare(kernel.start(call, { argv: ['target/debug/app'], path: '/Users/me/p/target/debug/app' }));
        kernel.shown = [...kernel.shown, app.pid];
        return this.#after(1, () => this.#end(call));
      }
      case 'unknown-terminal': {
        // Its shell has no mark of a login, and stays the user’s by its terminal.
        const call = this.#call(of, agent, 'my-terminal &');
        const terminal = spare(kernel.start(call, { argv: ['/opt/homebrew/bin/my-terminal'], setsid: true }));
        spare(kernel.start(terminal, { argv: ['/opt/homebrew/bin/fish'], setsid: true, tty: 0x1000_0011 }));
        return this.#after(1, () => this.#end(call));
      }
      case 'server-in-use': {
        const port = 4_000 + (kernel.nextUniqueId % 20_000);
        const [local, foreign] = [port, port + 20_000];
        const opened: readonly Opened[] = [
          { fd: 3, kind: 'tcp', socket: port * 10, local, foreign: 0, listens: true },
          { fd: 4, kind: 'tcp', socket: port * 10 + 1, local, foreign },
        ];
        const call = this.#call(of, agent, 'postgres &');
        spare(kernel.start(call, { argv: ['/opt/homebrew/bin/node', 'server.js'], opened: [...noInput, ...opened] }));
        const client: Opened = { fd: 3, kind: 'tcp', socket: port * 10 + 2, local: foreign, foreign: local };
        spare(kernel.start(shell, { argv: ['/opt/homebrew/bin/psql'], group: true, opened: [client] }));
        return this.#after(1, () => this.#end(call));
      }
      case 'pipe-in-use': {
        const feed: Opened = { fd: 3, kind: 'file', path: `/Users/me/p/feed-${kernel.nextUniqueId}`, fifo: true };
        const call = this.#call(of, agent, 'node feed.js > feed &');
        spare(kernel.start(call, { argv: ['/opt/homebrew/bin/node', 'feed.js'], opened: [...noInput, feed] }));
        spare(kernel.start(shell, { argv: ['/bin/cat', 'feed'], group: true, opened: [feed] }));
        return this.#after(1, () => this.#end(call));
      }
      case 'debugged': {
        const call = this.#call(of, agent, 'target/debug/app &');
        spare(kernel.start(call, { argv: ['target/debug/app'] })).traced = true;
        return this.#after(1, () => this.#end(call));
      }
      case 'bundle-of-launchd': {
        // Below launchd it is an application, by launchd’s name.
        const call = this.#call(of, agent, 'Viewer.app/Contents/MacOS/Viewer &');
        spare(kernel.start(call, { argv: ['/Applications/Viewer.app/Contents/MacOS/Viewer'] }));
        return this.#after(1, () => this.#end(call));
      }
      case 'unseen': {
        // It came and went between two looks: nothing tells whose this is.
        const call = this.#call(of, agent, 'sleep 999 &');
        sleep(call);
        return this.#end(call);
      }
    }
  }
}
