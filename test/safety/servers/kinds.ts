/**
 * What an agent keeps beside a session. Left over when its agent is gone, and so due: `direct` ·
 * `stubborn` ignores TERM · `spins` reads the end of its input for ever · `behind-sh` `sh -c`
 * around it · `behind-npx` `npm exec`, `sh -c` and then itself · `stubborn-behind-npx` · `talks`
 * speaks with a helper in a session of its own · `drives` a browser without a window, of several
 * processes in sessions of their own · `driver-gone` and its driver has died · `own-pair` is
 * connected to itself · `language` has the marks of a language server · `dials` waits to be taken
 * as a client by a program of the user · `answered` had a client, which is gone, as is its listener
 * · `reconnected` its agent closed its input and ended its wrapper, while it lived · `detaches` it,
 * and not the daemon that it detached.
 */
const dueKinds = [
  'direct',
  'stubborn',
  'spins',
  'behind-sh',
  'behind-npx',
  'stubborn-behind-npx',
  'talks',
  'drives',
  'driver-gone',
  'own-pair',
  'language',
  'dials',
  'answered',
  'reconnected',
  'detaches',
] as const;

/**
 * What can't be told from something that is still wanted: `works` moves bytes · `listens` on a
 * local socket · `listens-port` on a port · `used` listens and has a client · `answers` has one and
 * listens no more · `headed` drives a browser with a window · `apart` made a session of its own ·
 * `left` a command that it put into the background · `feeds-daemon` it detached a daemon and is a
 * client of it, and so is a program of the user · `hook` was started by a hook (Claude Code only,
 * else `direct`) · `held` another process of the user holds an end of it (where agents use pipes,
 * else `direct`) · `marked-kept` its configuration says CURFEW_KEEP=1 · `kept-below` and only a
 * helper of it carries that.
 */
const sparedKinds = [
  'works',
  'listens',
  'listens-port',
  'feeds-daemon',
  'used',
  'answers',
  'headed',
  'apart',
  'left',
  'hook',
  'held',
  'marked-kept',
  'kept-below',
] as const;

/** See `dueKinds` and `sparedKinds`. */
export const serverKinds = [...dueKinds, ...sparedKinds] as const;

/** See `serverKinds`. */
export type ServerKind = (typeof serverKinds)[number];

/** Whether it is one of `serverKinds`. */
export const isServerKind = (kind: string): kind is ServerKind => serverKinds.some((one) => one === kind);

/** The agents whose servers were seen. */
export const servingAgents = [
  'claude-2.1.329',
  'claude-2.1.197',
  'claude-2.0.28',
  'codex',
  'copilot',
  'gemini',
  'opencode',
] as const;

/** See `servingAgents`. */
export type ServingAgentKind = (typeof servingAgents)[number];

/** Whether agents of that kind can have servers on this stage. */
export const isServing = (agent: string): agent is ServingAgentKind => servingAgents.some((one) => one === agent);

/** What one of its kind is on the stage of that agent: not every kind can be of every agent. */
export const kindFor = (kind: ServerKind, agent: ServingAgentKind): ServerKind => {
  if (kind === 'hook' && !agent.startsWith('claude-2.1')) return 'direct';
  if (kind === 'held' && agent !== 'codex' && agent !== 'copilot') return 'direct';
  if (kind === 'language' && agent !== 'claude-2.1.329') return 'direct';
  return kind;
};

/** All of a server that the agent itself ends when it ends by itself is what it started. */
const leavesMore: ReadonlySet<ServerKind> = new Set([
  'behind-sh',
  'behind-npx',
  'stubborn-behind-npx',
  'talks',
  'drives',
  'driver-gone',
  'headed',
  'apart',
  'left',
  'reconnected',
  'kept-below',
]);

/** What is known of a session, for its servers. */
export interface ServingState {
  readonly agent: ServingAgentKind;
  /**
   * `lives` · `crashed`: it told nothing to its servers · `ended`: it ended the processes that it
   * had started itself.
   */
  readonly fate: 'lives' | 'crashed' | 'ended';
  /** A look of Curfew saw it with its servers while it lived. */
  readonly looked: boolean;
  readonly by: 'reap' | 'watch' | 'remote' | 'run';
  /** The settings only show servers. */
  readonly isShown: boolean;
  /** It is on a machine without ss, which is reached over SSH. */
  readonly isWithoutSs: boolean;
}

/** The marks of these are those of their commands too. */
const sharesMarks = (agent: ServingAgentKind): boolean => agent === 'opencode' || agent === 'gemini';

/** Agents that give pairs of sockets to their servers, of which only ss tells over SSH. */
const givesSockets = (agent: ServingAgentKind): boolean => agent !== 'codex' && agent !== 'copilot';

/** Whether its descent was witnessed: by a look alone, its marks are claims. */
const isProved = ({ looked }: ServingState): boolean => looked;

/**
 * What must become of a server: the rules of the safety contract, said once more without any of
 * Curfew's code. `either`: it carries what commands carry, and by the rules for those it may go.
 */
export const dueOfServer = (kind: ServerKind, state: ServingState): 'due' | 'spared' | 'either' => {
  const due = dueWhereAsked(kind, state);
  if (due !== 'due' || !state.isWithoutSs) return due;
  // Some of these speak with parts of their own through sockets.
  return givesSockets(state.agent) ? 'spared' : 'either';
};

/** The same where the ends of sockets can be asked for. */
const dueWhereAsked = (kind: ServerKind, state: ServingState): 'due' | 'spared' | 'either' => {
  const { agent, fate, by, isShown } = state;
  if (by === 'run' || fate === 'lives' || kind === 'marked-kept') return 'spared';
  if (!isProved(state)) return 'spared';
  const isOfCommands = sharesMarks(agent);
  if ((kind === 'apart' || kind === 'left') && isOfCommands) return 'either';
  if (isShown) return 'spared';
  // The helper alone looks like a daemon; it was not ended with it.
  if (kind === 'talks' && fate === 'ended') return 'spared';
  const isBrowserAlone = kind === 'driver-gone' || (kind === 'drives' && fate === 'ended');
  if (isBrowserAlone && isOfCommands) return 'either';
  return sparedKinds.some((one) => one === kind) ? 'spared' : 'due';
};

/**
 * Whether a server of a session that is gone stays only because nothing tells it from one that is
 * wanted, or for a mark that Curfew alone knows: another program that ends it may be right.
 */
export const isDoubtful = (kind: ServerKind): boolean =>
  kind === 'talks' ||
  (sparedKinds.some((one) => one === kind) && kind !== 'used' && kind !== 'answers' && kind !== 'feeds-daemon');

/** What must become of a daemon that a server detached. */
export const dueOfDaemon = (kind: ServerKind, { agent, fate, looked }: ServingState): 'spared' | 'either' =>
  // It looks like what a command left. What a client is connected to stays.
  looked && fate !== 'lives' && sharesMarks(agent) && kind === 'detaches' ? 'either' : 'spared';

/** Whether anything of it is left when its agent has ended it. */
const isLeftBy = (kind: ServerKind, { agent, fate }: ServingState): boolean =>
  fate !== 'ended' || leavesMore.has(kind) || (agent === 'claude-2.0.28' && kind === 'stubborn');

/**
 * Why `scan --all` must say that a server of a gone session stays: the code of the reason with its
 * detail. Null where none is foretold.
 */
export const reasonFor = (kind: ServerKind, state: ServingState): string | null => {
  const { agent, fate, looked, by, isShown } = state;
  if (fate === 'lives' || by === 'run' || state.isWithoutSs || !isLeftBy(kind, state)) return null;
  // The only thing left to say is that marks alone tell of it (expectProbable).
  if (!looked) return null;
  // They were left before a look came.
  if ((kind === 'apart' || kind === 'left') && (sharesMarks(agent) || agent === 'codex')) return null;
  if (fate === 'ended' && kind === 'headed') return null;
  const own = reasons[kind];
  if (own !== undefined) return own;
  if (kind === 'talks' && fate === 'ended') return 'server-reported own-session';
  return isShown ? 'servers-shown' : null;
};

const reasons: Readonly<Partial<Record<ServerKind, string>>> = {
  works: 'server-reported works',
  listens: 'server-reported listens',
  'listens-port': 'server-reported listens',
  used: 'server-reported listens',
  answers: 'in-use',
  'feeds-daemon': 'in-use',
  headed: 'server-reported connected',
  apart: 'server-reported own-session',
  left: 'server-reported no-channel',
  hook: 'server-reported harness',
  held: 'server-reported ends-open',
  'marked-kept': 'vetoed keep-marker',
  'kept-below': 'vetoed keep-marker',
};
