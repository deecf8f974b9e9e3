import type { Client } from '../model/job.ts';
import type { ServerReport } from '../model/server-state.ts';
import type { Reason, ReasonCode } from '../judge/verdict.ts';
import { formatAge, formatLimit } from '../format/age.ts';
import { isDiagnosisCode, sayDiagnosis } from './diagnoses.ts';
import { inBrackets, numberOf, textOf, type Figures } from './figures.ts';
import { visibleText } from '../format/visible.ts';
import { isVetoCode, sayVeto } from './vetoes.ts';

const age = (figures: Figures): string => formatAge(numberOf(figures, 'ageSeconds') ?? Number.NaN);
const limit = (figures: Figures): string => formatLimit(numberOf(figures, 'limitSeconds') ?? Number.NaN);
const silence = (figures: Figures): string => formatAge(numberOf(figures, 'silentSeconds') ?? Number.NaN);

const service = (figures: Figures): string => {
  const ports = textOf(figures, 'ports');
  if (ports === '') return 'it serves requests';
  return `it listens on ${ports.includes(',') ? 'ports' : 'port'} ${ports}`;
};

const working = (figures: Figures): string => {
  const seconds = numberOf(figures, 'silentSeconds') ?? 0;
  if (seconds >= 1) return `it was last active ${formatAge(seconds)} ago`;
  // A first look measures no processor time, so it can't tell a job at work from an idle one.
  return numberOf(figures, 'cpuPercent') === 0 ? 'it was not seen idle so far' : 'it is active';
};

const exempt = (figures: Figures): string => {
  const port = numberOf(figures, 'port');
  const parts = [
    ...(textOf(figures, 'project') === '' ? [] : [`project ${textOf(figures, 'project')}`]),
    ...(textOf(figures, 'command') === '' ? [] : [`command “${textOf(figures, 'command')}”`]),
    ...(port === null ? [] : [`port ${port}`]),
  ];
  return `you exempted it: ${parts.join(', ')}${inBrackets(textOf(figures, 'note'))}`;
};

const fromText = (figures: Figures): string => {
  const address = textOf(figures, 'from');
  return address === '' ? '' : `, from ${address}`;
};

const ways: Readonly<Record<Client['by'], (at: string, from: string) => string>> = {
  connection: (at, from) => `a client is connected to it (${at}${from})`,
  outgoing: (at) => `it is connected to a program outside of it (${at})`,
  recent: (at, from) => `a client was connected to it a short while ago (${at}${from})`,
  pipe: (at) => `a program outside of it has its pipe open (${at})`,
  terminal: (at) => `a program outside of it has its terminal open (${at})`,
  memory: (at) => `it shares memory with a program outside of it (${at})`,
  display: (at) => `it shows windows that may be in use (${at})`,
  unknown: (at) => `it is unknown whether a client is connected to it${inBrackets(at)}`,
};

const inUse = (figures: Figures): string => {
  const by = textOf(figures, 'by');
  return (Object.hasOwn(ways, by) ? ways[by as Client['by']] : ways.unknown)(textOf(figures, 'at'), fromText(figures));
};

const ownerGone = (figures: Figures): string => {
  const seconds = numberOf(figures, 'sinceSeconds');
  return seconds === null
    ? `its session has ended${inBrackets(textOf(figures, 'evidence'))}`
    : `its session ended ${formatAge(seconds)} ago`;
};

const scarceMemory = (figures: Figures): string => {
  const [pressure, swap] = [numberOf(figures, 'pressurePercent') ?? 0, numberOf(figures, 'swapPercent') ?? 0];
  const full = swap >= 90 ? `, and ${swap} % of the swap is used` : '';
  return `memory is scarce, so the largest that is due goes first (processes waited for memory during ${pressure} % of the last 10 s${full})`;
};

const serverSentences: Readonly<Record<ServerReport, string>> = {
  'owner-unknown': 'only shown: it is unknown whether its session is open',
  'agent-lives': 'only shown: its agent is running and no longer speaks to it',
  'own-session': 'only shown: it detached itself, as a program does that is meant to stay',
  'no-channel': 'only shown: its standard input or output is not a channel to its agent',
  'weak-mark': 'only shown: nothing proves that it is a server of its session',
  configured: 'only shown: probably a server of its agent, whose settings name this command',
  harness: 'only shown: a hook or another part of its agent started it',
  'ends-open': 'only shown: a process still holds the other end of its input or output',
  'ends-unknown': 'only shown: it can not be seen whether a process still speaks to it',
  'ends-untold': 'only shown: Windows does not tell whether a process still holds the other ends of its pipes',
  connected: 'only shown: a process outside of it is connected to it',
  listens: 'only shown: it waits for clients on a port or a socket',
  works: 'only shown: it is still reading or writing',
  parent: 'only shown: a program that did not start it has become its parent',
};

const isServerReport = (why: string): why is ServerReport => Object.hasOwn(serverSentences, why);

const sentences: Readonly<Record<ReasonCode, (figures: Figures) => string>> = {
  'memory-scarce': scarceMemory,
  'past-hard-cap': (figures) => `it is ${age(figures)} old, past the hard cap of ${limit(figures)}`,
  'owner-gone': ownerGone,
  'owner-unknown': (figures) => `it is unknown whether its session is open${inBrackets(textOf(figures, 'evidence'))}`,
  'owner-live': () => 'its session is open',
  'past-max-elapsed': (figures) => `it is ${age(figures)} old, past its limit of ${limit(figures)}`,
  'within-limits': (figures) => `it is ${age(figures)} old, within its limit of ${limit(figures)}`,
  'within-orphan-grace': (figures) => `it is within the grace of ${limit(figures)} after its session ended`,
  silent: (figures) => `idle for ${silence(figures)} (no CPU, no I/O)`,
  working,
  service,
  kept: (figures) => `you keep it for another ${formatAge(numberOf(figures, 'leftSeconds') ?? Number.NaN)}`,
  exempt,
  'in-use': inUse,
  'asked-at-cap': () => 'not ended: a program of yours may be using it. End it or keep it (inUseAtHardCap)',
  vetoed: (figures) => {
    const code = String(figures['veto']);
    const why = isVetoCode(code) ? sayVeto({ code, figures }) : 'it is protected';
    const pid = numberOf(figures, 'pid');
    return pid === null ? why : `${why} (process ${pid})`;
  },
  'observe-mode': (figures) =>
    figures['chosen'] === 'no'
      ? 'not ended: Curfew observes until you choose a mode (curfew settings set mode enforce)'
      : 'not ended: Curfew is in observe mode',
  'memory-lost': () =>
    'not ended automatically: what Curfew knew of the time before was lost with a file; end it or keep it yourself',
  'notice-given': (figures) => `you were warned ${formatAge(numberOf(figures, 'agoSeconds') ?? Number.NaN)} ago`,
  'own-limits': (figures) =>
    figures['state'] === 'gone'
      ? 'its `curfew run` was killed; Curfew ends its leftovers'
      : 'its `curfew run` ends it at its own limits',
  'idle-after-result': (figures) =>
    `it had printed its result and was still running ${formatLimit(numberOf(figures, 'limitSeconds') ?? Number.NaN)} later`,
  'out-of-reach': (figures) => textOf(figures, 'evidence'),
  'closed-ends': () => 'no process can speak to it any more: the other ends of its input and output are closed',
  'server-of-session': () => 'it serves its session, and is never ended while that is open',
  'servers-shown': () => 'not ended: your settings only show servers of sessions (sessionServers)',
  'server-replaced': () => 'its session is open and has closed its input; nothing ends it automatically',
  'server-reported': (figures) => {
    const why = String(figures['why']);
    return isServerReport(why) ? serverSentences[why] : 'only shown: what it is can not be told for certain';
  },
  claimed: () => 'only marks say that an agent started it, so nothing ends it automatically',
  diagnosis: (figures) => {
    const code = String(figures['diagnosis']);
    return isDiagnosisCode(code) ? sayDiagnosis({ code, figures }) : 'something is visibly wrong with it';
  },
};

/**
 * Returns a reason of the judge as a sentence without a full stop. A missing figure is called
 * unknown. Never throws.
 */
export const sayReason = ({ code, figures }: Reason): string =>
  // A record of a newer Curfew may hold a code that is unknown here.
  Object.hasOwn(sentences, code) ? sentences[code](figures) : visibleText(code);
