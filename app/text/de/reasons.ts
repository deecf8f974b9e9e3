import type { Client } from '../../model/job.ts';
import type { ServerReport } from '../../model/server-state.ts';
import { filled } from '../../format/said.ts';
import { doubtSigns, usersDoubts } from '../../model/users-doubt.ts';
import { owners } from '../catalogue/owners.ts';
import type { ReasonCode } from '../../judge/verdict.ts';
import { inBrackets, numberOf, textOf, type Figures } from '../figures.ts';
import { germanDiagnosis } from './diagnoses.ts';
import { ageIn, limitIn } from './figures.ts';
import { germanVeto } from './vetoes.ts';

const figure = (figures: Figures, name: string): number => numberOf(figures, name) ?? Number.NaN;
const age = (figures: Figures): string => ageIn(figure(figures, 'ageSeconds'));
const limit = (figures: Figures): string => limitIn(figure(figures, 'limitSeconds'));

const service = (figures: Figures): string => {
  const ports = textOf(figures, 'ports');
  if (ports === '') return 'bedient Anfragen';
  return `lauscht auf ${ports.includes(',') ? 'den Ports' : 'Port'} ${ports}`;
};

const working = (figures: Figures): string => {
  const seconds = numberOf(figures, 'silentSeconds') ?? 0;
  if (seconds >= 1) return `zuletzt aktiv vor ${ageIn(seconds)}`;
  return numberOf(figures, 'cpuPercent') === 0 ? 'bisher nicht untätig gesehen' : 'ist aktiv';
};

const exempt = (figures: Figures): string => {
  const port = numberOf(figures, 'port');
  const parts = [
    ...(textOf(figures, 'project') === '' ? [] : [`Projekt ${textOf(figures, 'project')}`]),
    ...(textOf(figures, 'command') === '' ? [] : [`Befehl „${textOf(figures, 'command')}“`]),
    ...(port === null ? [] : [`Port ${port}`]),
  ];
  return `ausgenommen: ${parts.join(', ')}${inBrackets(textOf(figures, 'note'))}`;
};

const ways: Readonly<Record<Client['by'], (at: string, from: string) => string>> = {
  connection: (at, from) => `etwas ist damit verbunden (${at}${from})`,
  outgoing: (at) => `ist mit einem anderen Programm verbunden (${at})`,
  recent: (at, from) => `etwas war vor Kurzem damit verbunden (${at}${from})`,
  pipe: (at) => `ein anderes Programm hat die Pipe offen (${at})`,
  terminal: (at) => `ein anderes Programm hat das Terminal offen (${at})`,
  memory: (at) => `teilt Speicher mit einem anderen Programm (${at})`,
  display: (at) => `zeigt Fenster, die in Gebrauch sein können (${at})`,
  unknown: (at) => `unbekannt, ob etwas damit verbunden ist${inBrackets(at)}`,
};

const inUse = (figures: Figures): string => {
  const [by, from] = [textOf(figures, 'by'), textOf(figures, 'from')];
  const say = Object.hasOwn(ways, by) ? ways[by as Client['by']] : ways.unknown;
  return say(textOf(figures, 'at'), from === '' ? '' : `, von ${from}`);
};

const scarceMemory = (figures: Figures): string => {
  const [pressure, swap] = [numberOf(figures, 'pressurePercent') ?? 0, numberOf(figures, 'swapPercent') ?? 0];
  const full = swap >= 90 ? `, ${swap} % des Swaps sind belegt` : '';
  return `der Speicher ist knapp, daher der größte fällige Job zuerst (Prozesse warteten ${pressure} % der letzten 10 s auf Speicher${full})`;
};

const usersDoubt = (figures: Figures): string => {
  const code = textOf(figures, 'doubt');
  const known = usersDoubts.find((one) => one === code);
  if (known === undefined) return '';
  return filled(owners[doubtSigns[known]], { pid: textOf(figures, 'pid'), parent: textOf(figures, 'parent') }, String);
};

const serverSentences: Readonly<Record<ServerReport, string>> = {
  'owner-unknown': 'unbekannt, ob die Sitzung offen ist',
  'agent-lives': 'der Agent läuft und spricht nicht mehr damit',
  'own-session': 'hat sich abgelöst, wie ein Programm, das bleiben soll',
  'no-channel': 'Ein- oder Ausgabe führt nicht zum Agenten',
  'weak-mark': 'nichts beweist, dass es ein Server der Sitzung ist',
  configured: 'wahrscheinlich ein Server des Agenten, dessen Einstellungen diesen Befehl nennen',
  harness: 'ein Hook oder ein anderer Teil des Agenten hat es gestartet',
  'ends-open': 'ein Prozess hält noch das andere Ende der Ein- oder Ausgabe',
  'ends-unknown': 'nicht zu sehen, ob noch ein Prozess damit spricht',
  'ends-untold': 'Windows sagt nicht, ob noch ein Prozess die anderen Enden seiner Pipes hält',
  connected: 'ein fremder Prozess ist damit verbunden',
  listens: 'wartet an einem Port oder Socket auf Verbindungen',
  works: 'liest oder schreibt noch',
  parent: 'ein Programm, das es nicht gestartet hat, ist jetzt sein Elternprozess',
};

const serverReport = (figures: Figures): string => {
  const why = String(figures['why']);
  const known = Object.hasOwn(serverSentences, why)
    ? serverSentences[why as ServerReport]
    : 'was es ist, steht nicht fest';
  return `nur angezeigt: ${known}`;
};

const sentences: Readonly<Record<ReasonCode, (figures: Figures) => string>> = {
  'memory-scarce': scarceMemory,
  'past-hard-cap': (figures) => `${age(figures)} alt, über der Höchstdauer von ${limit(figures)}`,
  'owner-gone': (figures) => {
    const seconds = numberOf(figures, 'sinceSeconds');
    return seconds === null ? 'die Sitzung ist beendet' : `die Sitzung endete vor ${ageIn(seconds)}`;
  },
  'owner-unknown': (figures) => `unbekannt, ob die Sitzung offen ist${inBrackets(usersDoubt(figures))}`,
  'owner-live': () => 'die Sitzung ist offen',
  'past-max-elapsed': (figures) => `${age(figures)} alt, über der Grenze von ${limit(figures)}`,
  'within-limits': (figures) => `${age(figures)} alt, unter der Grenze von ${limit(figures)}`,
  'within-orphan-grace': (figures) => `noch in der Schonfrist von ${limit(figures)} nach dem Ende der Sitzung`,
  silent: (figures) => `untätig seit ${ageIn(figure(figures, 'silentSeconds'))} (keine CPU, keine Ein-/Ausgabe)`,
  working,
  service,
  kept: (figures) => `behalten, noch ${ageIn(figure(figures, 'leftSeconds'))}`,
  exempt,
  'in-use': inUse,
  'asked-at-cap': () => 'wird nicht beendet, solange ein eigenes Programm es benutzen könnte: beenden oder behalten',
  vetoed: (figures) => {
    const why = germanVeto(String(figures['veto']), figures) ?? 'ist geschützt';
    const pid = numberOf(figures, 'pid');
    return pid === null ? why : `${why} (Prozess ${pid})`;
  },
  'observe-mode': (figures) =>
    figures['chosen'] === 'no'
      ? 'wird nicht beendet: Curfew beobachtet, bis ein Modus gewählt ist'
      : 'wird nicht beendet: Curfew beobachtet nur',
  'memory-lost': () =>
    'wird nicht von selbst beendet: Was Curfew von der Zeit davor wusste, ging mit einer Datei verloren; von Hand lässt es sich beenden oder behalten',
  'notice-given': (figures) => `Warnung vor ${ageIn(figure(figures, 'agoSeconds'))}`,
  'own-limits': (figures) =>
    figures['state'] === 'gone'
      ? 'das zugehörige „curfew run“ wurde gewaltsam beendet; Curfew beendet die Reste'
      : 'das zugehörige „curfew run“ beendet es an seinen eigenen Grenzen',
  'idle-after-result': (figures) => `lief ${limit(figures)} nach Ausgabe des Ergebnisses noch immer`,
  'out-of-reach': () => 'dieser Agent ist nicht mehr erreichbar',
  'closed-ends': () => 'kein Prozess kann mehr damit sprechen: die Gegenseiten von Ein- und Ausgabe sind geschlossen',
  'server-of-session': () => 'dient seiner Sitzung und wird nie beendet, solange sie offen ist',
  'servers-shown': () => 'wird nicht beendet: Server von Sitzungen werden laut Einstellung nur angezeigt',
  'server-replaced': () => 'die Sitzung läuft und hat die Eingabe geschlossen; wird nicht automatisch beendet',
  'server-reported': serverReport,
  claimed: () => 'nur Kennungen sagen, dass ein Agent es gestartet hat; wird nie automatisch beendet',
  diagnosis: (figures) => germanDiagnosis(String(figures['diagnosis']), figures) ?? 'hier stimmt sichtlich etwas nicht',
};

/** Says a reason of the judge in German; null for an unknown code. */
export const germanReason = (code: string, figures: Figures): string | null =>
  Object.hasOwn(sentences, code) ? sentences[code as ReasonCode](figures) : null;
