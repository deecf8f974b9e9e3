import type { ReachPlan } from './reach/kinds.ts';
import { isServing, type ServerKind, type ServingState } from './servers/kinds.ts';

/**
 * Agents that mark their children so that the end of a session can be proved whatever else lives (a
 * pid or session is in the mark).
 */
export const provableAgents = ['claude-2.1.329', 'claude-2.1.197', 'copilot', 'opencode'] as const;
/** Agents whose sessions can't be told apart: gone only when none of them lives. */
export const sharedAgents = ['claude-2.0.28', 'codex', 'gemini', 'mux'] as const;
/**
 * Those of them that keep no record of their sessions: of one that was never seen alive only some
 * jobs prove that it has ended.
 */
const recordlessAgents = ['claude-2.0.28', 'gemini', 'mux'] as const;
/** And those whose records are not read over SSH. */
const recordlessFromAfar = [...recordlessAgents, 'codex'] as const;
/** Never proved gone. */
export const unprovableAgents = ['cursor'] as const;

/** See the three lists. */
export type AgentKind =
  | (typeof provableAgents)[number]
  | (typeof sharedAgents)[number]
  | (typeof unprovableAgents)[number];

/**
 * What a tool call starts. `pipeline` a shell that waits · `leftover` its shell returns, after
 * the look of a world that has one · `unseen` its shell returned before any look · `noted` so,
 * after that look, and hooks noted the call: by its shell, or by the hook while the shell lives
 * · `setsid` leaves group and session · `forked-twice` its parent is gone at once · `deaf`
 * ignores TERM, its leader too · `deaf-behind` its leader dies at TERM and leaves one that is
 * deaf, in the group · `deaf-escaped` and that one in a session of its own · `heir` starts
 * another at TERM and exits · `breeds` forks all the time · `changes` execs another argv ·
 * `stopped` stopped itself · `serves` listens on a port · `deaf-serves` and ignores TERM ·
 * `other-user` one in it belongs to another user · `kept` carries CURFEW_KEEP=1 · `renames`
 * overwrites its environment · `kept-renames` does so, and its command had set CURFEW_KEEP=1 for
 * it · `own-sockets` is connected to itself and to nothing else.
 */
export const jobKinds = [
  'pipeline',
  'leftover',
  'unseen',
  'noted',
  'setsid',
  'forked-twice',
  'deaf',
  'deaf-behind',
  'deaf-escaped',
  'heir',
  'breeds',
  'changes',
  'stopped',
  'serves',
  'deaf-serves',
  'other-user',
  'kept',
  'renames',
  'kept-renames',
  'own-sockets',
] as const;

/** See `jobKinds`. */
export type JobKind = (typeof jobKinds)[number];

/**
 * One run of an agent. `ends`: by itself, as it does (Claude Code from 2.1 on ends its shells
 * first; what left their tree stays). `background`: moved there, its shells adopted by a successor
 * (Claude Code 2.1.329 only; others just live).
 */
export interface SessionPlan {
  readonly agent: AgentKind;
  readonly fate: 'lives' | 'crashes' | 'ends' | 'background';
  readonly jobs: readonly JobKind[];
  /**
   * Where it runs: `alone` in a kernel session of its own · `shell` below a shell of the user that
   * lives on, in a group of its own (Claude Code only; others are alone).
   */
  readonly place: 'alone' | 'shell';
  /** What it keeps beside it; none where the agent's servers were never seen. */
  readonly servers: readonly ServerKind[];
}

/** Single processes that nothing may happen to. */
export const innocentProcesses = [
  'user-server',
  'user-nohup',
  'wrapper-in-arguments',
  'editor-with-wrapper',
  'other-user',
  'marked-keep',
  'exported-marker',
  'same-folder',
  'multiplexer',
  'managed',
  'twin',
] as const;

/**
 * Situations in which the one proof is missing that something is left over; see situations.ts. The
 * user's own programs got an agent's marks: through a terminal that the agent opened
 * (`terminal-closed`, `terminal-open`) or through a file (`sourced-marks`) · the registry entry of
 * a resumed session says nothing (`entry-…`) · the agent lives in another pid namespace
 * (`sandboxed-agent`) or belongs to another user (`other-users-agent`) · a program is connected to
 * what a session left, on a machine without ss (`client-…`), or in a way that no listener tells of
 * (`shares-…`, `holds-socket`) · a tracer holds it (`traced`) · a `curfew run` ended beside servers
 * that others rely on (`run-servers`) · marks reached a program of the user: a server that read
 * them from a file (`read-env`), what a queue started when the agent had died (`queued`), a worker
 * of a server that lives (`worker`) · two processes had one session, and one has died
 * (`two-processes`) · an agent that Curfew does not know keeps servers in sessions of their own
 * (`unknown-agent`) · one that it knows lives in a dead session (`nested-agent`) · a log lies where
 * an output could (`odd-log`) · a call started a service of the user again (`restarted-service`) ·
 * what a session left is used by a program without its first thread, would
 * take others with it, or holds what would be gone (held.ts) · the user keeps it, or said that it
 * is theirs (`user-keeps`, `user-owns`) · a run of the user’s holds a lock (`locked-run`) · hooks
 * noted a shell whose number a program of the user has by now (`number-noted`), or beside which the
 * user starts programs (`opened-noted`). Beside those with marks a look saw what their session
 * left.
 */
export const situations = [
  'terminal-closed',
  'terminal-open',
  'sourced-marks',
  'entry-empty',
  'entry-cut-off',
  'entry-fifo',
  'entry-link',
  'sandboxed-agent',
  'other-users-agent',
  'client-tcp',
  'client-udp',
  'client-unix',
  'client-waiting',
  'holds-socket',
  'shares-fifo',
  'shares-terminal',
  'shares-memory',
  'read-env',
  'queued',
  'worker',
  'two-processes',
  'unknown-agent',
  'nested-agent',
  'odd-log',
  'restarted-service',
  'uses-without-first-thread',
  'traces-mine',
  'entered-namespace',
  'has-kernels',
  'has-meeting-place',
  'holds-device',
  'driven-window',
  'viewed-display',
  'user-keeps',
  'user-owns',
  'locked-run',
  'number-noted',
  'opened-noted',
  'traced',
  'run-servers',
  'calls-group',
  'shared-group',
  'whole-group',
  'lived-in-group',
  'group-again',
] as const;

/**
 * One of `situations`, or `gets-events`: jobs of a living session that are past max elapsed and get
 * an event every second over a socket, write a mapped file, or wait for a container. Worlds with
 * that one have a max elapsed so short that other living sessions would be hit by right.
 */
export type SituationKind = (typeof situations)[number] | 'gets-events';

/** What nothing may happen to. */
export type InnocentKind = (typeof innocentProcesses)[number] | SituationKind;

/**
 * Those with a living Claude Code of which not all is known, so that other sessions of Claude Code
 * may live on in it.
 */
const hiding: ReadonlySet<InnocentKind> = new Set([
  'entry-empty',
  'entry-cut-off',
  'entry-fifo',
  'entry-link',
  'sandboxed-agent',
  'other-users-agent',
  'gets-events',
  'two-processes',
]);

/**
 * While Curfew works: a process of a job dies and another gets its pid · a new session of an
 * agent begins.
 */
export interface Disturbance {
  readonly kind: 'recycled' | 'new-session';
  readonly afterMs: number;
  /** Which process of those that are due, counted round. */
  readonly which: number;
}

/**
 * The moments of a reaping at which Curfew is stopped while something happens. `open` before it
 * takes hold of a process, `opened` before it reads who that is; before and after each record is on
 * disk; `send` right before the kernel is told to signal, everything confirmed, `sent` after.
 */
export const moments = [
  'open',
  'opened',
  'before intent',
  'after intent',
  'send TERM',
  'sent TERM',
  'before TERM',
  'after TERM',
  'send CONT',
  'send KILL',
  'sent KILL',
  'before KILL',
  'after KILL',
  'before ended',
  'after ended',
] as const;

/** See `moments`. */
export type Moment = (typeof moments)[number];

/**
 * What happens to a process of a due job then. `recycled`: it dies and a program of the user gets
 * its pid · `imitated`: and that one has its command line · `dies` · `stops` · `fork` · `leave`
 * forks and exits · `setsid` · `exec` · `rename` · `keep` starts one with CURFEW_KEEP=1.
 */
export const changes = [
  'recycled',
  'recycled',
  'imitated',
  'dies',
  'stops',
  'fork',
  'leave',
  'setsid',
  'exec',
  'rename',
  'keep',
] as const;

/** See `changes`. */
export type Change = (typeof changes)[number];

/**
 * Something that happens at a moment of a reaping, the first, second or third time that it comes.
 */
export interface Step {
  readonly at: Moment;
  readonly time: number;
  readonly what: Change;
  /**
   * Which process of those that are due, counted round; 0 where a process is at stake: that one.
   */
  readonly which: number;
}

/**
 * How a `curfew run` comes to its end. `itself`: its command exits · `limit`: its time is up ·
 * `result`: its command said that it is done, and goes on · `told`: TERM · `killed`: KILL, and
 * `curfew runs` finds what it left.
 */
export const runEnds = ['told', 'killed', 'itself', 'result', 'limit'] as const;

/** See `runEnds`. */
export type RunEnd = (typeof runEnds)[number];

/** Programs of contract 5: what it protects when it has left the kernel session of a run. */
export const shelters = ['tmux', 'ssh-agent', 'vim', 'claude', 'gpg-agent'] as const;

/**
 * One of `shelters` that a run started, with a program of the user below it, which may have a
 * kernel session of its own.
 */
export interface ShelterPlan {
  readonly program: (typeof shelters)[number];
  readonly isLeft: boolean;
}

/** One `curfew run`, begun by the user or by a session of Claude Code that lives. */
export interface RunPlan {
  readonly ends: RunEnd;
  readonly isStrict: boolean;
  readonly begunBy: 'user' | 'agent';
  /** What its command starts, all at once. */
  readonly jobs: readonly JobKind[];
  readonly shelters: readonly ShelterPlan[];
}

/** See `WorldPlan.clock`. */
export const clocks = ['steady', 'wall-ahead', 'wall-behind', 'wall-set-twice', 'boot-ahead', 'boot-behind'] as const;

/** See `clocks`. */
export type Clock = (typeof clocks)[number];

/** What the user has chosen. */
export interface ChosenSettings {
  readonly sessionServers: 'end' | 'show';
  readonly unreachableAgents: 'show' | 'end';
}

/** A machine as data: who is on it, what they left, what happens while Curfew works. */
export interface WorldPlan {
  readonly sessions: readonly SessionPlan[];
  readonly innocents: readonly InnocentKind[];
  /** Agents that no user reaches, or only seems to; older than all sessions. */
  readonly agents: readonly ReachPlan[];
  readonly settings: ChosenSettings;
  /**
   * Whether Curfew looked while all sessions lived. `long`: and it has watched the agents for more
   * than 15 minutes. `lost`: once, and then what it remembered was damaged; over SSH it is not.
   */
  readonly looked: 'no' | 'once' | 'long' | 'lost';
  /**
   * Which clock of Curfew is another when it works than when it looked: the wall clock is set, or
   * the boot clock is that of another time namespace, which only a pass or a watch here has.
   */
  readonly clock: Clock;
  readonly disturbances: readonly Disturbance[];
  readonly steps: readonly Step[];
  /** Only in a world in which runs are ended. */
  readonly runs: readonly RunPlan[];
  /**
   * `reap`: a pass by hand · `watch`: a supervisor that does it by itself · `remote`: a pass by
   * hand, from another machine over SSH · `run`: only runs are ended, and no leftover.
   */
  readonly by: 'reap' | 'watch' | 'remote' | 'run';
}

/** Jobs of which nothing is left but what the call put into the background. */
export const returning: ReadonlySet<JobKind> = new Set(['leftover', 'unseen', 'noted', 'setsid', 'forked-twice']);

/** Whether Curfew knows what an earlier look saw. */
const isRemembered = (world: Pick<WorldPlan, 'looked' | 'by'>): boolean => world.looked !== 'no' && !isLost(world);

/** Whether its memory was lost: what began before is told, and not ended automatically. */
export const isLost = ({ looked, by }: Pick<WorldPlan, 'looked' | 'by'>): boolean =>
  looked === 'lost' && by !== 'remote';

/** Those of them that no look sees below their agent, at whatever time it comes. */
const neverSeen: ReadonlySet<JobKind> = new Set(['unseen', 'forked-twice']);

/** How the calls of an agent are noted: by the shell itself, or by the hook while they go on. */
export const howNoted = (agent: AgentKind): 'by-shell' | 'by-hook' | 'never' => {
  if (agent.startsWith('claude') || agent === 'opencode') return 'by-shell';
  return agent === 'mux' || agent === 'cursor' ? 'never' : 'by-hook';
};

/**
 * A hook's note names a shell below a process; that this is an agent, an earlier look must have
 * seen. Over SSH no notes are read.
 */
const descentOfNoted = (
  agent: AgentKind,
  world: Pick<WorldPlan, 'looked' | 'by'>,
): 'witnessed' | 'claimed' | 'either' => {
  if (howNoted(agent) === 'never') return 'claimed';
  if (isRemembered(world) && world.by !== 'remote') return 'witnessed';
  return agent === 'gemini' ? 'either' : 'claimed';
};

/**
 * What there is of a job's descent: seen by a look, or told by its living tool shell and its output
 * file (`witnessed`), or its marks alone, which end nothing (`claimed`). `either`: by the shell of
 * an agent whose shells are not always alike, or by an output file that may be left.
 */
export const descentOf = (
  kind: JobKind,
  { agent, fate }: Pick<SessionPlan, 'agent' | 'fate'>,
  world: Pick<WorldPlan, 'looked' | 'by'>,
): 'witnessed' | 'claimed' | 'either' => {
  // Its wrapper joins the lines of a call, so that a shell waits for what the call put into the
  // background, with the output file open.
  if (agent === 'mux') return 'either';
  if (neverSeen.has(kind)) return 'claimed';
  if (kind === 'noted') return descentOfNoted(agent, world);
  if (isRemembered(world)) return 'witnessed';
  if (returning.has(kind)) return 'claimed';
  if (agent === 'gemini') return 'either';
  if (!agent.startsWith('claude')) return 'claimed';
  if (fate !== 'ends') return 'witnessed';
  // It ended its shells; what has left them closed the output file.
  return kind === 'deaf-escaped' && agent !== 'claude-2.0.28' ? 'claimed' : 'either';
};

const among = (names: readonly string[], name: string): boolean => names.some((one) => one === name);

/** Whether the agent's process still lives when Curfew looks. */
export const livesOn = ({ agent, fate }: SessionPlan): boolean =>
  fate === 'lives' || (fate === 'background' && agent !== 'claude-2.1.329');

/** Clients of leftovers are put on a machine without ss where that is reached over SSH. */
export const isWithoutSs = ({ by, innocents }: Pick<WorldPlan, 'by' | 'innocents'>): boolean =>
  by === 'remote' && innocents.some((one) => one.startsWith('client-'));

/** What is known of a session, for its servers. Null where it has none. */
export const servingOf = (plan: SessionPlan, world: WorldPlan): ServingState | null => {
  const { agent, fate } = plan;
  if (!isServing(agent)) return null;
  return {
    agent,
    fate: livesOn(plan) ? 'lives' : agent.startsWith('claude') && fate !== 'crashes' ? 'ended' : 'crashed',
    looked: isRemembered(world),
    by: world.by,
    isShown: world.settings.sessionServers === 'show',
    isWithoutSs: isWithoutSs(world),
  };
};

/**
 * What must become of what a run started: only another user's process and what carries
 * CURFEW_KEEP=1 stay. One that overwrites that before a look may have seen it proves nothing.
 */
export const dueOfRun = (kind: JobKind): 'due' | 'spared' | 'either' => {
  if (kind === 'kept' || kind === 'other-user') return 'spared';
  return kind === 'kept-renames' ? 'either' : 'due';
};

/**
 * What must become of the jobs of a session: the safety contract, said once more without any of
 * Curfew's code. `either`: sessions of this agent can't be told apart, and the only living one
 * began after these jobs did, so that it can be known not to be theirs, and need not; or the agent
 * keeps no record and was never seen alive, so that only a tool shell that lost its parent proves
 * its end.
 */
export const dueOf = (plan: SessionPlan, world: WorldPlan): 'due' | 'spared' | 'either' => {
  const due = dueWhereRemembered(plan, world);
  if (!isLost(world) || due === 'spared') return due;
  return world.by === 'watch' ? 'spared' : 'either';
};

const dueWhereRemembered = (plan: SessionPlan, world: WorldPlan): 'due' | 'spared' | 'either' => {
  // What a look saw below its agent may be proved to be its, whatever other sessions there are.
  const alone = dueAmongSessions(plan, world);
  const isEnded = !livesOn(plan) && plan.fate !== 'background' && world.by !== 'run';
  const due = world.looked !== 'no' && isEnded && alone === 'spared' ? 'either' : alone;
  // Claude Code 2.0.28 keeps no registry: one that began later and lives may be any session of a
  // Claude Code that goes on in it.
  const later = world.sessions.slice(world.sessions.indexOf(plan) + 1);
  const isHidden =
    plan.agent.startsWith('claude') &&
    (world.innocents.some((kind) => hiding.has(kind)) ||
      later.some((one) => one.agent === 'claude-2.0.28' && (livesOn(one) || one.fate === 'background')));
  // A living agent of that kind of which nothing is on record.
  const isShielded = world.agents.some(({ agent }) => plan.agent.startsWith(agent));
  return due === 'due' && (isHidden || isShielded) ? 'either' : due;
};

/**
 * Whether what a dead Claude Code 2.1.329 left, and a look here saw below it, must be ended: no
 * other could have its session.
 */
export const isEndCertain = ({ by, looked, sessions, innocents, agents, disturbances }: WorldPlan): boolean =>
  (by === 'reap' || by === 'watch') &&
  looked !== 'lost' &&
  !sessions.some((one) => one.agent.startsWith('claude') && (livesOn(one) || one.fate === 'background')) &&
  !innocents.some((kind) => hiding.has(kind)) &&
  !agents.some(({ agent }) => agent === 'claude') &&
  disturbances.length === 0;

/** Whether what a dead agent left in its control groups must be ended: no other lives. */
export const isGroupDue = (plan: WorldPlan): boolean =>
  isEndCertain(plan) && !plan.clock.startsWith('boot') && plan.agents.length === 0 && !plan.sessions.some(livesOn);

const dueAmongSessions = (plan: SessionPlan, { sessions, by }: WorldPlan): 'due' | 'spared' | 'either' => {
  if (by === 'run') return 'spared';
  if (livesOn(plan) || plan.fate === 'background') return 'spared';
  const own = sessions.indexOf(plan);
  // Claude Code 2.0.28 does not tell which sessions it has: an older one could have resumed that.
  if (plan.agent === 'claude-2.1.197' || plan.agent === 'claude-2.1.329')
    return sessions
      .slice(0, own)
      .some((one) => one.agent === 'claude-2.0.28' && (livesOn(one) || one.fate === 'background'))
      ? 'spared'
      : // 2.1.197 names no process and leaves no entry of a session that ended by itself, and no pass
        // over SSH saw it live.
        plan.agent === 'claude-2.1.197' && by === 'remote' && plan.fate === 'ends'
        ? 'either'
        : 'due';
  if (among(provableAgents, plan.agent)) return 'due';
  if (among(unprovableAgents, plan.agent)) return 'spared';
  const sameProgram = (one: SessionPlan): boolean =>
    one.agent === plan.agent || (one.agent.startsWith('claude') && plan.agent.startsWith('claude'));
  const living = sessions.filter(
    (one) => one !== plan && sameProgram(one) && (livesOn(one) || one.fate === 'background'),
  );
  const recordless = by === 'remote' ? recordlessFromAfar : recordlessAgents;
  if (living.length === 0) return among(recordless, plan.agent) ? 'either' : 'due';
  return living.some((one) => livesOn(one) && sessions.indexOf(one) < own) ? 'spared' : 'either';
};
