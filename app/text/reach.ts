import type { AgentWork, Idle, IdleSign, IdleUse, Reach, ReachState, Resting } from '../model/reach.ts';
import { type Said, withTexts } from '../format/said.ts';
import { visibleText } from '../format/visible.ts';
import { formatAge, formatLimit } from '../format/age.ts';
import { reachPatienceSeconds } from '../reach/memory.ts';
import { canEnd, type InUse, isUsed } from '../reach/units.ts';
import { type Form, type FormWith, listed, say, sayOf } from './form.ts';
import { inEnglish } from './say.ts';

const words = {
  unreachable: 'unreachable',
  finishing: 'finishing',
  'closed-lately': 'just closed',
  'cut-off': 'cut off',
  held: 'held',
  detached: 'detached',
  headless: 'headless',
  service: 'service',
  idle: 'idle',
  reachable: 'reachable',
  unknown: 'unknown',
} as const satisfies Readonly<Record<ReachState, Form>>;

/** Returns the state of an agent in one or two words. */
export const reachWordSaid = (state: ReachState): Said => say(words[state]);

/** Returns the same in English. */
export const reachWord = (state: ReachState): string => words[state];

const works = {
  'input-output': 'it has read or written data',
  processor: 'it has used the processor',
  command: 'a command of it was at work',
  transcript: 'its transcript was written',
  'remote-control': 'it can be used from elsewhere (remote control)',
  connection: 'a client is, or may be, connected to it',
} as const satisfies Readonly<Record<AgentWork, Form>>;

const patience = formatLimit(reachPatienceSeconds);

const quiet = ({ quietSeconds, spinning }: Extract<Reach, { readonly state: 'unreachable' }>): Said => {
  if (spinning) return say('; it uses the processor all the time, and reads and writes nothing');
  return quietSeconds < 1 ? '' : say('; quiet for {age} as observed', { age: formatAge(quietSeconds) });
};

const working = (work: AgentWork): Said =>
  work === 'remote-control' || work === 'connection'
    ? say(works[work])
    : say('{work} in the last {patience}, so it may be finishing a turn', { work: say(works[work]), patience });

const parts = {
  quiet: (reach: Reach) => (reach.state === 'unreachable' ? quiet(reach) : ''),
  work: (reach: Reach) => (reach.state === 'finishing' ? working(reach.work) : ''),
  age: (reach: Reach) => (reach.state === 'closed-lately' ? formatAge(reach.closedSeconds) : ''),
  patience: () => patience,
  pid: (reach: Reach) => ('holder' in reach ? reach.holder.pid : ''),
  name: (reach: Reach) => ('holder' in reach ? visibleText(reach.holder.name) : ''),
  why: (reach: Reach) => (reach.state === 'unknown' ? withTexts(reach.why, visibleText) : ''),
};

type ReachForm = FormWith<keyof typeof parts>;

const forms: Readonly<Record<ReachState, ReachForm | ((reach: Reach) => ReachForm)>> = {
  unreachable: (reach) =>
    'why' in reach && reach.why === 'hung-up'
      ? 'its terminal is hung up, so no input can reach it{quiet}'
      : 'its client has closed both ends, so no input can reach it{quiet}',
  finishing: (reach) =>
    'why' in reach && reach.why === 'hung-up'
      ? 'its terminal is hung up, so no input can reach it, but {work}'
      : 'its client has closed both ends, so no input can reach it, but {work}',
  'closed-lately': 'its client closed both ends {age} ago; {patience} must pass before it counts as unreachable',
  'cut-off': 'its launcher is gone: it is in the background of a terminal, and no shell can bring it back',
  held: 'no parent of it holds the other end of its input, but process {pid} ({name}) does',
  detached: 'its terminal is kept by {name} (process {pid}), to which no client is attached',
  headless: 'it writes to a file or another program and needs no user',
  service: 'it is a service of its agent, which runs without a terminal on purpose',
  idle: 'a terminal or a client is connected to it',
  reachable: 'a terminal or a client is connected to it',
  unknown: 'it is unknown whether a user can reach it: {why}',
};

/** Says whether a user can reach an agent and why, as a sentence without a full stop. */
export const reachSaid = (reach: Reach): Said => sayOf(forms[reach.state], parts, reach);

/** Returns the same in English. */
export const sayReach = (reach: Reach): string => inEnglish(reachSaid(reach));

/** Says why an agent in this state is not ended, as a whole sentence; null: it may be. */
export const endRefused = (reach: Reach, ownEnd: string | null, used: Said | null = null): Said | null => {
  if (used !== null) return say('Curfew does not signal it: {why}.', { why: used });
  if (canEnd(reach)) return null;
  const why = reachSaid(reach);
  return reach.state === 'service' && ownEnd !== null
    ? say('Curfew does not signal it: {why}. Its own command ends it: {command}', { why, command: ownEnd })
    : say('Curfew does not signal it: {why}.', { why });
};

const signs = {
  status: 'its own status',
  transcript: 'its transcript',
  terminal: 'its terminal',
  watched: 'bytes that it moved',
} as const satisfies Readonly<Record<IdleSign, Form>>;

const uses = {
  lately: 'in use: last sign {age} ago',
  busy: 'in use: it is in the middle of a turn',
  answer: 'in use: it waits for an answer of its user',
  command: 'in use: a command of it is at work',
  'remote-control': 'in use: it can be used from elsewhere (remote control)',
  'wake-up': 'in use: it has a scheduled wake-up',
} as const satisfies Readonly<Record<IdleUse, Form>>;

const restingForms = {
  idle: 'idle for {age}, by {sign}',
  suspended: 'suspended by its user; last sign {age} ago, by {sign}',
  spinning: 'spinning: it uses the processor and gives no other sign; last sign {age} ago, by {sign}',
} as const;

/** What is not known of an agent that rests. */
const unknownOf = ({ state, told, watched }: Resting): Said => {
  if (state !== 'idle' || (told && watched)) return '';
  if (told) return say('; what it computes is known only while Curfew watches');
  return say('; whether it waits for an answer can’t be seen');
};

/** Says that an agent rests, why that is thought, and what is not known of it. */
const restingSaid = (resting: Resting, nowMs: number): Said => {
  const age = formatAge(Math.max(0, nowMs - resting.sinceMs) / 1000);
  return listed([say(restingForms[resting.state], { age, sign: say(signs[resting.by]) }), unknownOf(resting)], '');
};

/** Says whether an agent is idle, and since when. */
export const idleSaid = (idle: Idle, nowMs: number): Said => {
  if (idle.state === 'unknown') return say('nothing tells yet when it was at work last');
  if (idle.state !== 'in-use') return restingSaid(idle, nowMs);
  const { why, sinceMs } = idle;
  if (why !== 'lately') return say(uses[why]);
  return say(uses.lately, { age: formatAge(Math.max(0, nowMs - (sinceMs ?? nowMs)) / 1000) });
};

/** Says what brings its session back; an agent that can't resume is said to be one. */
export const resumeSaid = (resume: string | null): Said =>
  resume === null
    ? say('No command is known that resumes its session.')
    : say('Its session goes on with: {command}', { command: resume });

/** Says that an agent that may be come back to is in use; null: it is not. */
export const usedSaid = (seen: InUse, nowMs: number): Said | null => (isUsed(seen) ? idleSaid(seen.idle, nowMs) : null);
