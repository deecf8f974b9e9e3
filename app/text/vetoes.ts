import type { Provision } from '../judge/vetoes/users-programs.ts';
import type { Objection, StopReason } from '../judge/stop-reason.ts';
import type { Veto, VetoCode } from '../judge/verdict.ts';
import { inWordsOfKeys, type Said } from '../format/said.ts';
import { visibleText } from '../format/visible.ts';
import { bracket, byText, cutBehind, inBrackets, numberOf, textOf, type Figures } from './figures.ts';
import { bracketed, type Form, type FormWith, say, sayOf } from './form.ts';

const provided = {
  folder: 'a mounted folder',
  network: 'a network connection',
  machine: 'a virtual machine',
  input: 'input devices',
  kernels: 'a notebook and its kernels',
  secrets: 'keys or passwords',
  service: 'a service to which other programs connect',
  device: 'access to a device',
} as const satisfies Readonly<Record<Provision, Form>>;

/** A process by its program's name, as far as that is told. */
const process =
  (figure: string) =>
  (figures: Figures): Said => {
    const [name, pid] = [textOf(figures, 'name'), numberOf(figures, figure) ?? '?'];
    return name === '' ? say('process {pid}', { pid }) : say('{name}, process {pid}', { name, pid });
  };

const moving = 'its session is moving to the background' satisfies Form;

const parts = {
  name: bracket('name'),
  inside: process('inside'),
  holds: process('holds'),
  tracer: process('tracer'),
  other: process('other'),
  provision: (figures: Figures): Said => {
    const what = textOf(figures, 'provides');
    // A record of an earlier release has the words themselves.
    return Object.hasOwn(provided, what) ? say(provided[what as Provision]) : what;
  },
  uid: (figures: Figures) => numberOf(figures, 'uid') ?? '',
  service: bracket('service'),
  runtime: bracket('runtime'),
  evidence: (figures: Figures): Said => {
    const evidence = textOf(figures, 'evidence');
    const shell = textOf(figures, 'shell');
    if (shell === '') return bracketed(evidence === moving ? say(moving) : evidence);
    const keeper = textOf(figures, 'keeper');
    const kept = say('{keeper} keeps its detached shell {shell}{path}', { keeper, shell, path: '' });
    const path = cutBehind(inWordsOfKeys(kept), inBrackets(visibleText(String(figures['path'] ?? ''))));
    return bracketed({ ...kept, figures: { ...kept.figures, path } });
  },
  port: (figures: Figures): Said => {
    const port = numberOf(figures, 'port');
    return port === null ? '' : say(' (port {port})', { port });
  },
  window: bracket('at'),
};

type VetoForm = FormWith<keyof typeof parts>;

/** Which of two forms, by whether there is a figure. */
const byFigure =
  (name: string, without: VetoForm, with_: VetoForm) =>
  (figures: Figures): VetoForm =>
    numberOf(figures, name) === null ? without : with_;

const terminal = byFigure('inside', 'it is a terminal{name}', 'it runs inside a terminal ({inside})');
const daemon = byFigure(
  'inside',
  'it is a program that other programs rely on{name}',
  'it runs inside a program that other programs rely on ({inside})',
);

const forms: Readonly<Record<VetoCode | StopReason, VetoForm | ((figures: Figures) => VetoForm)>> = {
  init: 'it is process 1, which the whole system needs',
  'kernel-thread': 'it is part of the kernel',
  curfew: byText<VetoForm>(
    'as',
    {
      itself: 'it is Curfew itself',
      ancestor: 'Curfew was started by it',
      group: 'it shares its process group with Curfew',
      run: 'it is Curfew, or runs a command under its supervision',
    },
    'it is part of Curfew',
  ),
  agent: byFigure(
    'inside',
    'it is an agent{name} that may hold unsaved work',
    'it may be part of a running agent ({inside})',
  ),
  editor: byFigure('inside', 'it is an editor{name}', 'it runs inside an editor ({inside})'),
  terminal: (figures) => {
    if (figures['as'] === 'taken-over') return 'it was moved into a terminal that may be in use';
    return numberOf(figures, 'holds') === null ? terminal(figures) : 'it holds a terminal that may be in use ({holds})';
  },
  multiplexer: byFigure(
    'inside',
    'it is a terminal multiplexer, which outlives sessions by design{name}',
    'it runs inside a terminal multiplexer, which outlives sessions by design ({inside})',
  ),
  'login-shell': 'a user works in it{name}',
  'shared-daemon': (figures) =>
    textOf(figures, 'provides') === '' ? daemon(figures) : 'it provides {provision}{name}, which would end with it',
  desktop: byFigure(
    'inside',
    'it is a part of the system or of the desktop{name}',
    'the desktop or the system started it, not the agent ({inside})',
  ),
  'other-user': byFigure('uid', 'it is unknown which user owns it', 'it belongs to another user ({uid})'),
  'service-manager': (figures) =>
    textOf(figures, 'windows') === ''
      ? byText<VetoForm>(
          'launchd',
          {
            app: 'it is an application{service}, which may hold unsaved work',
            untold: 'macOS did not tell whether launchd started it{service}',
            job: 'launchd started it{service}, not the agent',
          },
          byText<VetoForm>(
            'by',
            { orchestrator: 'it is in a slice that its orchestrator clears itself{service}' },
            'systemd manages it{service}, not the agent',
          )(figures),
        )(figures)
      : 'it is a service of Windows{service}',
  container: 'it lives in a container{runtime}',
  'other-namespace': 'it lives in another pid namespace, a container or a sandbox of its own',
  'keep-marker': byText(
    'by',
    {
      mine: 'you said that it is yours',
      seen: 'it carried CURFEW_KEEP=1 in its environment when it was seen earlier',
      command: 'its command sets CURFEW_KEEP=1',
    },
    'it carries CURFEW_KEEP=1 in its environment',
  ),
  'keep-unknown': byText(
    'hidden',
    { refused: 'the system does not show its environment, so it may carry CURFEW_KEEP=1' },
    'it has overwritten its environment, so it may carry CURFEW_KEEP=1',
  ),
  traced: byFigure('tracer', 'a debugger or tracer holds it', 'a debugger or tracer holds it ({tracer})'),
  'takes-others': byText(
    'as',
    { tracer: 'it holds a process that is no part of the job and may end with it ({other})' },
    'its pid namespace, which ends with it, has a process that is no part of the job ({other})',
  ),
  unread: byText(
    'what',
    {
      memory: 'the system does not show what it was started with',
      program: 'the system does not tell which program it is',
      debugger: 'the system does not tell whether a debugger holds it',
      parent: 'the system does not tell for certain which process started it',
    },
    'the system does not show all of it',
  ),
  'kept-by-agent': 'its agent wants it to keep running{evidence}',
  'proxy-in-use': 'what it forwards to may still be in use{port}',
  window: 'it shows, or may show, a window that may hold unsaved work{window}',
  'server-in-use': 'a process may speak to it after all',
  'no-provenance': 'nothing proves that an agent started it',
  'identity-changed': 'it is no longer the process that was judged',
  'owner-returned': 'its session is open after all',
  'spoken-to': 'a process speaks to it after all',
  'used-since': 'it was used since, or may have been: it moved bytes or ran',
  'put-off': 'it was kept or exempted since, or observe mode was chosen',
};

/** Says why a process may not be signalled; no full stop, and no process, which stands beside. */
export const vetoSaid = ({ code, figures }: Pick<Objection, 'code' | 'figures'>): Said => {
  if (!isVetoCode(code)) return say('it is protected{code}', { code: inBrackets(visibleText(code)) });
  return sayOf(forms[code], parts, figures);
};

/** Vetoes that need a name only: of its file, its script, or one it gives itself. */
const byName: ReadonlySet<string> = new Set(['agent', 'editor', 'terminal', 'multiplexer', 'shared-daemon']);
/** Figures of vetoes that rest on surroundings or holdings, not on a name alone. */
const moreThanName = ['inside', 'holds', 'provides', 'as'] as const;

/**
 * Returns what protection by program name alone means for the user, and what to do if the name
 * misleads (a `view` that is not an editor), in whole sentences. null for vetoes that rest on more.
 */
export const adviseVeto = ({ code, pid, figures }: Veto): Said | null => {
  const name = textOf(figures, 'name');
  if (name === '' || !byName.has(code) || moreThanName.some((figure) => figures[figure] !== undefined)) return null;
  return say(
    'Process {pid} is protected by its name alone: Curfew ends no program called {name}, not even with `curfew reap --job`, and no setting changes that. If it is another program, rename its file before the next start, and end this one yourself: kill {pid}.',
    { pid, name },
  );
};

/** True for the code of a known veto or stop; records of another version may hold others. */
export const isVetoCode = (code: string): code is VetoCode | StopReason => Object.hasOwn(forms, code);
