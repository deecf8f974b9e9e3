import type { Provision } from '../../judge/vetoes/users-programs.ts';
import type { StopReason } from '../../judge/stop-reason.ts';
import type { VetoCode } from '../../judge/verdict.ts';
import { inBrackets, numberOf, textOf, type Figures } from '../figures.ts';

const provided: Readonly<Record<Provision, string>> = {
  folder: 'einen eingehängten Ordner',
  network: 'eine Netzverbindung',
  machine: 'eine virtuelle Maschine',
  input: 'Eingabegeräte',
  kernels: 'ein Notebook mit seinen Kernels',
  secrets: 'Schlüssel oder Passwörter',
  service: 'einen Dienst, mit dem sich andere Programme verbinden,',
  device: 'den Zugriff auf ein Gerät',
};

const sayProvision = (what: string): string => (Object.hasOwn(provided, what) ? provided[what as Provision] : what);

const program = (what: string, inWhat: string, figures: Figures): string => {
  const name = textOf(figures, 'name');
  const inside = numberOf(figures, 'inside');
  return inside === null ? `ist ${what}${inBrackets(name)}` : `läuft in ${inWhat} (${name}, Prozess ${inside})`;
};

const curfewWords: Readonly<Record<string, string>> = {
  itself: 'ist Curfew selbst',
  ancestor: 'hat Curfew gestartet',
  group: 'ist in derselben Prozessgruppe wie Curfew',
  run: 'ist Curfew oder führt einen Befehl unter dessen Aufsicht aus',
};

const unreadWords: Readonly<Record<string, string>> = {
  memory: 'das System zeigt nicht, womit der Prozess gestartet wurde',
  program: 'das System sagt nicht, welches Programm es ist',
  debugger: 'das System sagt nicht, ob ein Debugger den Prozess hält',
  parent: 'das System sagt nicht sicher, welcher Prozess ihn gestartet hat',
};

const sentences: Readonly<Record<VetoCode | StopReason, (figures: Figures) => string>> = {
  init: () => 'ist Prozess 1, den das ganze System braucht',
  'kernel-thread': () => 'ist Teil des Kernels',
  curfew: (figures) => curfewWords[String(figures['as'])] ?? 'ist Teil von Curfew',
  agent: (figures) => {
    const name = textOf(figures, 'name');
    const inside = numberOf(figures, 'inside');
    return inside === null
      ? `ist ein Agent${inBrackets(name)}, der Ungespeichertes haben kann`
      : `gehört vielleicht zu einem laufenden Agenten (${name}, Prozess ${inside})`;
  },
  editor: (figures) => program('ein Editor', 'einem Editor', figures),
  terminal: (figures) => {
    const holds = numberOf(figures, 'holds');
    if (figures['as'] === 'taken-over') return 'ist jetzt in einem Terminal, das in Gebrauch sein kann';
    return holds === null
      ? program('ein Terminal', 'einem Terminal', figures)
      : `hält ein Terminal, das in Gebrauch sein kann (${textOf(figures, 'name')}, Prozess ${holds})`;
  },
  multiplexer: (figures) =>
    program(
      'ein Terminal-Multiplexer, der Sitzungen absichtlich überdauert',
      'einem Terminal-Multiplexer, der Sitzungen absichtlich überdauert',
      figures,
    ),
  'login-shell': (figures) => `darin wird gearbeitet${inBrackets(textOf(figures, 'name'))}`,
  'shared-daemon': (figures) => {
    const provides = sayProvision(textOf(figures, 'provides'));
    return provides === ''
      ? program(
          'ein Programm, auf das andere angewiesen sind',
          'einem Programm, auf das andere angewiesen sind',
          figures,
        )
      : `stellt ${provides} bereit${inBrackets(textOf(figures, 'name'))}, was mit ihm enden würde`;
  },
  desktop: (figures) => {
    const name = textOf(figures, 'name');
    const inside = numberOf(figures, 'inside');
    return inside === null
      ? `ist Teil des Systems oder des Desktops${inBrackets(name)}`
      : `wurde vom Desktop oder vom System gestartet, nicht vom Agenten (${name}, Prozess ${inside})`;
  },
  'other-user': (figures) => {
    const uid = numberOf(figures, 'uid');
    return uid === null ? 'unbekannt, wem der Prozess gehört' : `gehört einem anderen Benutzer (${uid})`;
  },
  'service-manager': (figures) => {
    const by = textOf(figures, 'launchd');
    const name = inBrackets(textOf(figures, 'service'));
    if (textOf(figures, 'windows') !== '') return `ist ein Dienst von Windows${name}`;
    if (by === 'app') return `ist ein Programm${name}, in dem Ungesichertes sein kann`;
    if (by === 'untold') return `macOS sagte nicht, ob launchd den Prozess gestartet hat${name}`;
    return by === 'job'
      ? `wurde von launchd gestartet${name}, nicht vom Agenten`
      : `wird von systemd verwaltet${name}, nicht vom Agenten`;
  },
  container: (figures) => `läuft in einem Container${inBrackets(textOf(figures, 'runtime'))}`,
  'other-namespace': () => 'läuft in einem eigenen PID-Namensraum, einem Container oder einer Sandbox',
  'keep-marker': (figures) => {
    const by = textOf(figures, 'by');
    if (by === 'mine') return 'ist als eigenes bezeichnet';
    if (by === 'seen') return 'hatte früher CURFEW_KEEP=1 in der Umgebung';
    return by === 'command' ? 'der Befehl setzt CURFEW_KEEP=1' : 'hat CURFEW_KEEP=1 in der Umgebung';
  },
  'keep-unknown': (figures) =>
    textOf(figures, 'hidden') === 'refused'
      ? 'das System zeigt die Umgebung nicht, sie könnte CURFEW_KEEP=1 enthalten'
      : 'die Umgebung ist überschrieben, sie könnte CURFEW_KEEP=1 enthalten haben',
  traced: (figures) => {
    const tracer = numberOf(figures, 'tracer');
    const name = textOf(figures, 'name');
    return tracer === null
      ? 'ein Debugger oder Tracer hält den Prozess'
      : `ein Debugger oder Tracer hält den Prozess (${name === '' ? '' : `${name}, `}Prozess ${tracer})`;
  },
  'takes-others': (figures) => {
    const name = textOf(figures, 'name');
    const other = `${name === '' ? '' : `${name}, `}Prozess ${numberOf(figures, 'other') ?? '?'}`;
    return figures['as'] === 'tracer'
      ? `hält einen Prozess, der nicht zum Job gehört und damit enden kann (${other})`
      : `im PID-Namensraum, der damit endet, ist ein Prozess, der nicht zum Job gehört (${other})`;
  },
  unread: (figures) => unreadWords[String(figures['what'])] ?? 'das System zeigt nicht alles davon',
  'kept-by-agent': (figures) => `der Agent will, dass es weiterläuft${inBrackets(textOf(figures, 'evidence'))}`,
  'proxy-in-use': (figures) => {
    const port = numberOf(figures, 'port');
    return `das Ziel der Weiterleitung kann noch in Gebrauch sein${port === null ? '' : ` (Port ${port})`}`;
  },
  window: (figures) => `zeigt vielleicht ein Fenster mit Ungespeichertem${inBrackets(textOf(figures, 'at'))}`,
  'server-in-use': () => 'ein Prozess spricht vielleicht doch noch damit',
  'no-provenance': () => 'nichts beweist, dass ein Agent es gestartet hat',
  'identity-changed': () => 'ist nicht mehr der Prozess, der beurteilt wurde',
  'owner-returned': () => 'die Sitzung ist doch noch offen',
  'spoken-to': () => 'ein Prozess spricht doch damit',
  'put-off': () => 'wurde inzwischen behalten oder ausgenommen, oder Curfew beobachtet nur noch',
};

/** Says in German why a process may not be signalled; null for an unknown code. */
export const germanVeto = (code: string, figures: Figures): string | null =>
  Object.hasOwn(sentences, code) ? sentences[code as VetoCode](figures) : null;
