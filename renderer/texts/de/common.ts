import type { Texts } from '../en/index.ts';
import { dative, plural } from './plural.ts';

/** Words that several views share, in German. */
export const common: Texts['common'] = {
  product: 'Curfew',
  units: { d: { one: 'Tag', other: 'Tage' }, h: 'h', min: 'min', s: 's', ms: 'ms' },
  ago: (length) => `vor ${dative(length)}`,
  now: 'gerade eben',
  processes: (count) => plural(count, { one: '# Prozess', other: '# Prozesse' }),
  jobs: (count) => plural(count, { one: '# Job', other: '# Jobs' }),
  process: (pid) => `Prozess ${pid}`,
  sessions: (count) => plural(count, { one: '# Sitzung', other: '# Sitzungen' }),
  port: (port) => `Port ${port}`,
  ports: (ports) => `Ports ${ports}`,
  host: (host) => `auf ${host}`,
  noProject: 'Kein Projektordner',
  close: 'Schließen',
  cancel: 'Abbrechen',
  undo: 'Rückgängig',
  tryAgain: 'Erneut versuchen',
  loading: 'Wird geladen…',
  remove: 'Entfernen',
  end: 'Beenden…',
  endIt: 'Beenden',
  copied: 'Kopiert',
  copyCommand: 'Befehl kopieren',
  mode: { enforce: 'Eingreifen', observe: 'Beobachten' },
  enforceAsk: {
    title: 'Jobs von Curfew beenden lassen?',
    body: (count) =>
      plural(count, {
        one: '# Job würde jetzt nach einer Warnung beendet:',
        other: '# Jobs würden jetzt nach einer Warnung beendet:',
      }),
    more: (count) => plural(count, { one: 'und # weiterer', other: 'und # weitere' }),
    confirm: 'Beenden lassen',
  },
  owner: { live: 'Sitzung offen', gone: 'Sitzung geschlossen', unknown: 'Sitzung unbekannt' },
  control: {
    newline: 'Zeilenumbruch',
    tab: 'Tabulator',
    character: (code) => `Steuerzeichen ${code}`,
  },
  late: {
    title: 'Diese Ansicht konnte nicht geladen werden',
    away: 'Curfew ist gerade nicht erreichbar. Die Ansicht lädt von selbst, sobald es wieder da ist.',
    advice: 'Vielleicht wurde Curfew aktualisiert, seit diese Seite offen ist. Neuer Versuch…',
    reload: 'Seite neu laden',
  },
  failedView: {
    title: 'In dieser Ansicht ist ein Fehler aufgetreten',
    advice:
      'Die anderen Ansichten funktionieren weiter. Tritt er wieder auf, sagt „curfew report“, was einzusenden ist.',
  },
  failure: {
    title: 'Das hat nicht geklappt',
    offline: 'Curfew ist nicht erreichbar.',
  },
  page: {
    signedOutSince: (time) =>
      `Curfew wurde neu gestartet, daher ist dieser Browser nicht mehr angemeldet. Stand von ${time}.`,
  },
  whole: 'Ganzen Befehl zeigen',
  less: 'Weniger zeigen',
};
