import { environments } from '../unit/jobs/plant.ts';
import type { AgentPlan } from '../played/agent-plans.ts';
import { playInnocent } from './innocents.ts';
import type { Simulated, SimulatedWindows, Start } from './simulated-windows.ts';

// What lives on a random Windows: agents and what their calls start, and everything that is none of
// their leftovers however much it looks so. A change of the machine happens between two looks.

/** Agents of which the marks are enough. */
export const windowsAgents = ['codex', 'opencode', 'claude-code'] as const;
type WindowsAgent = (typeof windowsAgents)[number];

/** What a call starts and leaves. All of it is due once its agent is gone, or past the hard cap. */
export const windowsJobs = [
  'waits',
  'background',
  'detached',
  'deaf',
  'forks-when-asked',
  'pipeline',
  'in-the-users-console',
  'in-the-agents-session',
  'hidden-window',
] as const;
type WindowsJob = (typeof windowsJobs)[number];

/** What may never be asked or ended, whatever marks it carries. */
export const windowsInnocents = [
  'user-server',
  'shell-closed',
  'from-explorer',
  'explorer-with-marks',
  'service',
  'task-of-scheduler',
  'editor',
  'editor-terminal',
  'opened-terminal',
  'window',
  'own-console',
  'debugged',
  'wsl',
  'from-wsl',
  'other-user',
  'other-session',
  'elevated',
  'protected',
  'unreadable',
  'kept',
  'other-agent',
  'pid-of-a-dead-parent',
  'server-in-use',
  'editor-under-another-name',
  'server-behind-npx',
  'terminal-of-the-agent',
] as const;
export type WindowsInnocent = (typeof windowsInnocents)[number];

type WindowsAgentPlan = AgentPlan<WindowsAgent, WindowsJob, WindowsInnocent>;

/** What happens to Curfew or to the machine before a look. */
export interface WindowsDisturbance {
  readonly at: number;
  readonly kind: 'restart' | 'refuse' | 'reuse' | 'explorer-again';
  readonly which: number;
}

/** A world. */
export interface WindowsPlan {
  readonly agents: readonly WindowsAgentPlan[];
  readonly disturbances: readonly WindowsDisturbance[];
}

const session = '43c8e917-0000-4000-8000-00000000000a';

const marksOf = (agent: WindowsAgent, pid: number): readonly string[] => {
  const of = {
    codex: () => environments.codex(session),
    opencode: () => environments.opencode(pid),
    'claude-code': () => ({
      CLAUDECODE: '1',
      CLAUDE_PID: String(pid),
      CLAUDE_CODE_SESSION_ID: session,
      AI_AGENT: 'claude-code_2-1-329_agent',
    }),
  }[agent]();
  return [
    'Path=C:\\Windows',
    'USERPROFILE=C:\\Users\\me',
    ...Object.entries(of).map(([name, value]) => `${name}=${value}`),
  ];
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

const node: Start = { image: 'node.exe', commandLine: '"C:\\Program Files\\nodejs\\node.exe" server.js' };

/** The processes of a world, as they come and go. */
export class WindowsWorld {
  readonly kernel: SimulatedWindows;
  /** What may never be touched, with what each is. */
  readonly innocent = new Map<Simulated, string>();
  /** Processes of jobs that every look could follow from their start, with what each is. */
  readonly due: DueProcess[] = [];
  /** Pids of what has ended by itself. */
  readonly ended: number[] = [];
  readonly #later: { readonly at: number; readonly happen: () => void }[] = [];
  #look = 0;
  #console = 10;

  constructor(kernel: SimulatedWindows) {
    this.kernel = kernel;
    for (const one of kernel.processes.values()) this.innocent.set(one, one.image);
  }

  /** What was put off to this look happens. */
  reach(look: number): void {
    this.#look = look;
    for (const { at, happen } of this.#later) if (at === look) happen();
  }

  /** An agent in a terminal of the user. */
  raise(plan: WindowsAgentPlan): void {
    const { kernel } = this;
    const consoleId = this.newConsole();
    const terminal = this.spare(
      'terminal',
      kernel.start(kernel.explorer, {
        image: 'WindowsTerminal.exe',
        commandLine: 'WindowsTerminal.exe',
        console: false,
      }),
    );
    const shell = this.spare(
      'shell of the user',
      kernel.start(terminal, { image: 'pwsh.exe', commandLine: 'pwsh.exe -NoLogo', console: true, consoleId }),
    );
    const name = plan.agent === 'claude-code' ? 'claude' : plan.agent;
    const agent = this.spare(
      plan.agent,
      kernel.start(shell, { image: `${name}.exe`, commandLine: `"C:\\Users\\me\\.local\\bin\\${name}.exe"` }),
    );
    const marks = marksOf(plan.agent, agent.pid);
    for (const { kind, at } of plan.jobs) this.#at(at, () => this.#work(plan.agent, agent, marks, kind));
    for (const { kind, at } of plan.innocents)
      this.#at(at, () => this.isAlive(agent) && playInnocent(this, { kind, agent, shell, marks }));
    if (plan.endsAt !== null) this.#at(plan.endsAt, () => this.end(agent));
  }

  newConsole(): number {
    return (this.#console += 1);
  }

  #at(look: number, happen: () => void): void {
    this.#later.push({ at: look, happen });
  }

  /** Happens so many looks later. */
  after(looks: number, happen: () => void): void {
    this.#at(this.#look + looks, happen);
  }

  /** It may never be touched. */
  spare(what: string, process: Simulated): Simulated {
    this.innocent.set(process, what);
    return process;
  }

  isAlive(process: Simulated): boolean {
    return this.kernel.processes.get(process.pid) === process;
  }

  /** They end by themselves. */
  end(...processes: readonly Simulated[]): void {
    for (const process of processes) {
      if (!this.isAlive(process)) continue;
      this.kernel.end(process);
      this.ended.push(process.pid);
    }
  }

  /** Starts the shell of a call, without a console as agents do. */
  call(agent: Simulated, marks: readonly string[], text: string, more: Start = {}): Simulated {
    const commandLine = `C:\\Windows\\System32\\cmd.exe /d /s /c "${text}"`;
    return this.kernel.start(agent, { image: 'cmd.exe', commandLine, environment: marks, console: false, ...more });
  }

  #work(of: WindowsAgent, agent: Simulated, marks: readonly string[], kind: WindowsJob): void {
    if (!this.isAlive(agent)) return;
    const { kernel } = this;
    const begun = this.#look;
    const owe = (process: Simulated): Simulated => {
      this.due.push({ process, what: `${kind} of ${of}`, agent, begun, at: this.#look });
      return process;
    };
    const below = (parent: Simulated, more: Start = {}): Simulated => owe(kernel.start(parent, { ...node, ...more }));
    // A hidden console of its own, as most agents give to their calls: the agent's session.
    const captured = { console: true, standard: ['NUL', `pipe:${this.#console}`, `pipe:${this.#console} error`] };
    const how = kind === 'in-the-agents-session' ? captured : {};
    const shell = owe(this.call(agent, marks, kind, { consoleId: this.newConsole(), ...how }));
    switch (kind) {
      case 'waits':
      case 'in-the-agents-session':
        below(shell);
        return;
      case 'in-the-users-console':
        below(shell, { console: true, consoleId: agent.consoleId });
        return;
      case 'background':
        below(shell);
        return this.after(2, () => this.end(shell));
      case 'detached': {
        const middle = below(shell);
        return this.after(1, () => {
          if (!this.isAlive(middle)) return;
          below(middle);
          this.after(1, () => this.end(middle, shell));
        });
      }
      case 'deaf':
        below(shell, { deaf: true, console: true, consoleId: this.newConsole() });
        return this.after(1, () => this.end(shell));
      case 'forks-when-asked': {
        // It lives on: of one that forks and ends between two looks Windows tells nothing.
        const forker = below(shell, { deaf: true, console: true, consoleId: this.newConsole() });
        forker.onAsked = () => {
          forker.onAsked = null;
          below(forker, { deaf: true });
        };
        return;
      }
      case 'pipeline':
        below(shell);
        below(below(shell));
        return this.after(3, () => this.end(shell));
      case 'hidden-window': {
        const one = below(shell);
        kernel.shown = [...kernel.shown, { window: one.pid, pid: one.pid, visible: false, kind: 'Chrome_WidgetWin_1' }];
        return;
      }
    }
  }
}
