import type { Client } from '../model/job.ts';
import type { ServerReport } from '../model/server-state.ts';
import type { Reason, ReasonCode } from '../judge/verdict.ts';
import { formatAge, formatLimit } from '../format/age.ts';
import type { Said } from '../format/said.ts';
import { diagnosisSaid, isDiagnosisCode } from './diagnoses.ts';
import { bracket, byText, numberOf, processIn, textOf, type Figures } from './figures.ts';
import { bracketed, type Form, type FormWith, listed, say, sayOf } from './form.ts';
import { visibleText } from '../format/visible.ts';
import { inEnglish } from './say.ts';
import { isVetoCode, vetoSaid } from './vetoes.ts';

const time =
  (name: string, format = formatAge) =>
  (figures: Figures): Said => {
    const seconds = numberOf(figures, name);
    return seconds === null ? say('an unknown time') : format(seconds);
  };

const exemptParts = (figures: Figures): Said => {
  const [project, command] = [textOf(figures, 'project'), textOf(figures, 'command')];
  const port = numberOf(figures, 'port');
  return listed(
    [
      ...(project === '' ? [] : [say('project {project}', { project })]),
      ...(command === '' ? [] : [say('command “{command}”', { command })]),
      ...(port === null ? [] : [say('port {port}', { port })]),
    ],
    ', ',
  );
};

const unseenPlaces = [
  'the desktop',
  'what it is connected to can not be seen from here',
  'it was not looked at yet',
  'there are more open files than are looked at',
  'its open files can not be seen',
  'it has more open files than are looked at',
  'one of its open files can not be read',
  'its connections can not be seen',
  'the owners of connections are not told',
] as const satisfies readonly Form[];

/** Documents write a port so. */
const portPlace = 'port ';

/** Where a client is connected: a port or a path, or why that is not known. */
const place = (figures: Figures): Said => {
  const at = textOf(figures, 'at');
  const known = unseenPlaces.find((one) => one === at);
  if (known !== undefined) return say(known);
  return at.startsWith(portPlace) ? say('port {port}', { port: at.slice(portPlace.length) }) : at;
};

const parts = {
  age: time('ageSeconds'),
  limit: time('limitSeconds', formatLimit),
  silent: time('silentSeconds'),
  left: time('leftSeconds'),
  ago: time('agoSeconds'),
  ports: (figures: Figures) => textOf(figures, 'ports'),
  exempt: exemptParts,
  note: bracket('note'),
  at: place,
  where: (figures: Figures) => bracketed(place(figures)),
  from: (figures: Figures): Said => {
    const from = textOf(figures, 'from');
    return from === '' ? '' : say(', from {from}', { from });
  },
  pressure: (figures: Figures) => numberOf(figures, 'pressurePercent') ?? 0,
  full: (figures: Figures): Said => {
    const swap = numberOf(figures, 'swapPercent') ?? 0;
    return swap >= 90 ? say(', and {swap} % of the swap is used', { swap }) : '';
  },
};

type ReasonForm = FormWith<keyof typeof parts>;

const serverReports: Readonly<Record<ServerReport, ReasonForm>> = {
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

/** Reasons that rest on another sentence or on `evidence`: how the session is known. */
const others = {
  vetoed: (figures: Figures) => {
    const code = String(figures['veto']);
    const why = isVetoCode(code) ? vetoSaid({ code, figures }) : say('it is protected{code}', { code: '' });
    return listed([why, processIn(figures)], '');
  },
  diagnosis: (figures: Figures) => {
    const code = String(figures['diagnosis']);
    return isDiagnosisCode(code)
      ? diagnosisSaid({ code, figures })
      : say('something is visibly wrong with it{code}', { code: '' });
  },
  'owner-gone': (figures: Figures, evidence: Said) => {
    const seconds = numberOf(figures, 'sinceSeconds');
    return seconds === null
      ? say('its session has ended{evidence}', { evidence: bracketed(evidence) })
      : say('its session ended {age} ago', { age: formatAge(seconds) });
  },
  'owner-unknown': (_figures: Figures, evidence: Said) =>
    say('it is unknown whether its session is open{evidence}', { evidence: bracketed(evidence) }),
  'idle-agent': (figures: Figures) => {
    const age = formatAge(numberOf(figures, 'idleSeconds') ?? 0);
    const resume = textOf(figures, 'resume');
    return resume === ''
      ? say('no command is known that resumes its session; it is an agent without a sign of life for {age}', { age })
      : say('it is an agent without a sign of life for {age}; its session goes on with: {command}', {
          age,
          command: resume,
        });
  },
  'out-of-reach': (figures: Figures, evidence: Said) => {
    const resume = textOf(figures, 'resume');
    const why = evidence === '' ? say('no user can reach it any more') : evidence;
    return resume === '' ? why : listed([why, say('its session goes on with: {command}', { command: resume })], '; ');
  },
};

type Other = keyof typeof others;

const forms: Readonly<Record<Exclude<ReasonCode, Other>, ReasonForm | ((figures: Figures) => ReasonForm)>> = {
  'memory-scarce':
    'memory is scarce, so the largest that is due goes first (processes waited for memory during {pressure} % of the last 10 s{full})',
  'past-hard-cap': 'it is {age} old, past the hard cap of {limit}',
  'owner-live': 'its session is open',
  'past-max-elapsed': 'it is {age} old, past its limit of {limit}',
  'within-limits': 'it is {age} old, within its limit of {limit}',
  'within-orphan-grace': 'it is within the grace of {limit} after its session ended',
  silent: 'idle for {silent} (no CPU, no I/O)',
  working: (figures) => {
    if ((numberOf(figures, 'silentSeconds') ?? 0) >= 1) return 'it was last active {silent} ago';
    // A first look measures no processor time, so it can't tell a job at work from an idle one.
    return numberOf(figures, 'cpuPercent') === 0 ? 'it was not seen idle so far' : 'it is active';
  },
  service: (figures) => {
    const ports = textOf(figures, 'ports');
    if (ports === '') return 'it serves requests';
    return ports.includes(',') ? 'it listens on ports {ports}' : 'it listens on port {ports}';
  },
  kept: 'you keep it for another {left}',
  exempt: 'you exempted it: {exempt}{note}',
  'in-use': byText(
    'by',
    {
      connection: 'a client is connected to it ({at}{from})',
      outgoing: 'it is connected to a program outside of it ({at})',
      recent: 'a client was connected to it a short while ago ({at}{from})',
      pipe: 'a program outside of it has its pipe open ({at})',
      terminal: 'a program outside of it has its terminal open ({at})',
      memory: 'it shares memory with a program outside of it ({at})',
      display: 'it shows windows that may be in use ({at})',
    } satisfies Readonly<Record<Exclude<Client['by'], 'unknown'>, ReasonForm>>,
    'it is unknown whether a client is connected to it{where}',
  ),
  'asked-at-cap': 'not ended: a program of yours may be using it. End it or keep it (inUseAtHardCap)',
  'observe-mode': (figures) =>
    figures['chosen'] === 'no'
      ? 'not ended: Curfew observes until you choose a mode (curfew settings set mode enforce)'
      : 'not ended: Curfew is in observe mode',
  'memory-lost':
    'not ended automatically: what Curfew knew of the time before was lost with a file; end it or keep it yourself',
  'notice-given': 'you were warned {ago} ago',
  'own-limits': (figures) =>
    figures['state'] === 'gone'
      ? 'its `curfew run` was killed; Curfew ends its leftovers'
      : 'its `curfew run` ends it at its own limits',
  'idle-after-result': 'it had printed its result and was still running {limit} later',
  'closed-ends': 'no process can speak to it any more: the other ends of its input and output are closed',
  'server-of-session': 'it serves its session, and is never ended while that is open',
  'servers-shown': 'not ended: your settings only show servers of sessions (sessionServers)',
  'server-replaced': 'its session is open and has closed its input; nothing ends it automatically',
  'server-detached': (figures) =>
    (numberOf(figures, 'ageSeconds') ?? 0) < (numberOf(figures, 'limitSeconds') ?? Infinity)
      ? 'no client of it was seen for {age}; from {limit} on it is offered to you'
      : 'it detached itself, and no client of it was seen for {age}; nothing ends it automatically',
  'server-reported': byText('why', serverReports, 'only shown: what it is can not be told for certain'),
  claimed: 'only marks say that an agent started it, so nothing ends it automatically',
};

const isOther = (code: ReasonCode): code is Other => Object.hasOwn(others, code);

/**
 * Says a reason of the judge as a sentence without a full stop. A missing figure is called unknown.
 * Never throws. `evidence`: how the state of its session is known, in any language.
 */
export const reasonSaid = ({ code, figures }: Reason, evidence: Said): Said => {
  // A record of a newer Curfew may hold a code that is unknown here.
  if (!isReasonCode(code)) return visibleText(code);
  return isOther(code) ? others[code](figures, evidence) : sayOf(forms[code], parts, figures);
};

/** True for the code of a known reason; records of another version may hold others. */
export const isReasonCode = (code: string): code is ReasonCode =>
  Object.hasOwn(forms, code) || Object.hasOwn(others, code);

/** Returns a reason in English, with the evidence that its figures have. */
export const sayReason = (reason: Reason): string => inEnglish(reasonSaid(reason, textOf(reason.figures, 'evidence')));
