import type { Provision } from '../judge/vetoes/users-programs.ts';
import type { Objection, StopReason } from '../judge/stop-reason.ts';
import type { Veto, VetoCode } from '../judge/verdict.ts';
import { visibleText } from '../format/visible.ts';
import { inBrackets, numberOf, textOf, type Figures } from './figures.ts';

const provided: Readonly<Record<Provision, string>> = {
  folder: 'a mounted folder',
  network: 'a network connection',
  machine: 'a virtual machine',
  input: 'input devices',
  kernels: 'a notebook and its kernels',
  secrets: 'keys or passwords',
  service: 'a service to which other programs connect',
  device: 'access to a device',
};

// A record of an earlier release has the words themselves.
const sayProvision = (what: string): string => (Object.hasOwn(provided, what) ? provided[what as Provision] : what);

const program = (what: string, figures: Figures): string => {
  const name = textOf(figures, 'name');
  const inside = numberOf(figures, 'inside');
  return inside === null ? `it is ${what}${inBrackets(name)}` : `it runs inside ${what} (${name}, process ${inside})`;
};

const curfewWords: Readonly<Record<string, string>> = {
  itself: 'it is Curfew itself',
  ancestor: 'Curfew was started by it',
  group: 'it shares its process group with Curfew',
  run: 'it is Curfew, or runs a command under its supervision',
};

const unreadWords: Readonly<Record<string, string>> = {
  memory: 'the system does not show what it was started with',
  program: 'the system does not tell which program it is',
  debugger: 'the system does not tell whether a debugger holds it',
  parent: 'the system does not tell for certain which process started it',
};

const sentences: Readonly<Record<VetoCode, (figures: Figures) => string>> = {
  init: () => 'it is process 1, which the whole system needs',
  'kernel-thread': () => 'it is part of the kernel',
  curfew: (figures) => curfewWords[String(figures['as'])] ?? 'it is part of Curfew',
  agent: (figures) => {
    const name = textOf(figures, 'name');
    const inside = numberOf(figures, 'inside');
    return inside === null
      ? `it is an agent${inBrackets(name)} that may hold unsaved work`
      : `it may be part of a running agent (${name}, process ${inside})`;
  },
  editor: (figures) => program('an editor', figures),
  terminal: (figures) => {
    const holds = numberOf(figures, 'holds');
    if (figures['as'] === 'taken-over') return 'it was moved into a terminal that may be in use';
    return holds === null
      ? program('a terminal', figures)
      : `it holds a terminal that may be in use (${textOf(figures, 'name')}, process ${holds})`;
  },
  multiplexer: (figures) => program('a terminal multiplexer, which outlives sessions by design', figures),
  'login-shell': (figures) => `a user works in it${inBrackets(textOf(figures, 'name'))}`,
  'shared-daemon': (figures) => {
    const provides = sayProvision(textOf(figures, 'provides'));
    return provides === ''
      ? program('a program that other programs rely on', figures)
      : `it provides ${provides}${inBrackets(textOf(figures, 'name'))}, which would end with it`;
  },
  desktop: (figures) => {
    const name = textOf(figures, 'name');
    const inside = numberOf(figures, 'inside');
    return inside === null
      ? `it is a part of the system or of the desktop${inBrackets(name)}`
      : `the desktop or the system started it, not the agent (${name}, process ${inside})`;
  },
  'other-user': (figures) => {
    const uid = numberOf(figures, 'uid');
    return uid === null ? 'it is unknown which user owns it' : `it belongs to another user (${uid})`;
  },
  'service-manager': (figures) => {
    const by = textOf(figures, 'launchd');
    const name = inBrackets(textOf(figures, 'service'));
    if (textOf(figures, 'windows') !== '') return `it is a service of Windows${name}`;
    if (by === 'app') return `it is an application${name}, which may hold unsaved work`;
    if (by === 'untold') return `macOS did not tell whether launchd started it${name}`;
    return by === 'job' ? `launchd started it${name}, not the agent` : `systemd manages it${name}, not the agent`;
  },
  container: (figures) => `it lives in a container${inBrackets(textOf(figures, 'runtime'))}`,
  'other-namespace': () => 'it lives in another pid namespace, a container or a sandbox of its own',
  'keep-marker': (figures) => {
    const by = textOf(figures, 'by');
    if (by === 'mine') return 'you said that it is yours';
    if (by === 'seen') return 'it carried CURFEW_KEEP=1 in its environment when it was seen earlier';
    return by === 'command' ? 'its command sets CURFEW_KEEP=1' : 'it carries CURFEW_KEEP=1 in its environment';
  },
  'keep-unknown': (figures) =>
    textOf(figures, 'hidden') === 'refused'
      ? 'the system does not show its environment, so it may carry CURFEW_KEEP=1'
      : 'it has overwritten its environment, so it may carry CURFEW_KEEP=1',
  traced: (figures) => {
    const tracer = numberOf(figures, 'tracer');
    const name = textOf(figures, 'name');
    return tracer === null
      ? 'a debugger or tracer holds it'
      : `a debugger or tracer holds it (${name === '' ? '' : `${name}, `}process ${tracer})`;
  },
  'takes-others': (figures) => {
    const name = textOf(figures, 'name');
    const other = `${name === '' ? '' : `${name}, `}process ${numberOf(figures, 'other') ?? '?'}`;
    return figures['as'] === 'tracer'
      ? `it holds a process that is no part of the job and may end with it (${other})`
      : `its pid namespace, which ends with it, has a process that is no part of the job (${other})`;
  },
  unread: (figures) => unreadWords[String(figures['what'])] ?? 'the system does not show all of it',
  'kept-by-agent': (figures) => `its agent wants it to keep running${inBrackets(textOf(figures, 'evidence'))}`,
  'proxy-in-use': (figures) => {
    const port = numberOf(figures, 'port');
    return `what it forwards to may still be in use${port === null ? '' : ` (port ${port})`}`;
  },
  window: (figures) => `it shows, or may show, a window that may hold unsaved work${inBrackets(textOf(figures, 'at'))}`,
  'server-in-use': () => 'a process may speak to it after all',
  'no-provenance': () => 'nothing proves that an agent started it',
};

const stopSentences: Readonly<Record<StopReason, string>> = {
  'identity-changed': 'it is no longer the process that was judged',
  'owner-returned': 'its session is open after all',
  'spoken-to': 'a process speaks to it after all',
  'put-off': 'it was kept or exempted since, or observe mode was chosen',
};

const isStopReason = (code: string): code is StopReason => Object.hasOwn(stopSentences, code);

/**
 * Says why a process may not be signalled, as a sentence without a full stop and without the
 * process, which stands beside it.
 */
export const sayVeto = ({ code, figures }: Pick<Objection, 'code' | 'figures'>): string => {
  if (isStopReason(code)) return stopSentences[code];
  return isVetoCode(code) ? sentences[code](figures) : `it is protected${inBrackets(visibleText(code))}`;
};

/**
 * Vetoes for which a program name suffices: of its file, its script, or the name it gives itself.
 */
const byName: ReadonlySet<string> = new Set(['agent', 'editor', 'terminal', 'multiplexer', 'shared-daemon']);
/**
 * Figures of vetoes that rest on more than a name: on the surroundings of the process, or on what
 * it holds.
 */
const moreThanName = ['inside', 'holds', 'provides', 'as'] as const;

/**
 * Returns what protection by program name alone means for the user, and what to do if the name
 * misleads (a `view` that is not an editor), in whole sentences. null for vetoes that rest on more.
 */
export const adviseVeto = ({ code, pid, figures }: Veto): string | null => {
  const name = textOf(figures, 'name');
  if (name === '' || !byName.has(code) || moreThanName.some((figure) => figures[figure] !== undefined)) return null;
  return (
    `Process ${pid} is protected by its name alone: Curfew ends no program called ${name}, ` +
    'not even with `curfew reap --job`, and no setting changes that. If it is another program, rename its file ' +
    `before the next start, and end this one yourself: kill ${pid}.`
  );
};

/** True for the code of a known veto; records of another version may hold others. */
export const isVetoCode = (code: string): code is VetoCode => Object.hasOwn(sentences, code);
