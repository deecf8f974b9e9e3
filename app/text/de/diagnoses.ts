import type { Diagnosis } from '../../model/job.ts';
import { formatAge } from '../../format/age.ts';
import { inBrackets, numberOf, textOf, type Figures } from '../figures.ts';
import { bytesIn, counted, process, since } from './figures.ts';

const probably = (figures: Figures): string => (numberOf(figures, 'doubt') === null ? '' : 'wahrscheinlich ');

const input = (figures: Figures): string => {
  const kind = textOf(figures, 'kind');
  return `wartet${since(figures)} auf eine Eingabe, die nicht kommt${kind === '' ? '' : ` (Standardeingabe: ${kind})`}${process(figures)}`;
};

const pipe = (figures: Figures): string => {
  const why: Readonly<Record<string, string>> = {
    itself: 'in die nur der Leser selbst schreiben könnte',
    job: `in die nur Prozesse schreiben könnten, die selbst darauf warten${inBrackets(textOf(figures, 'writers'))}`,
    unopened: 'deren anderes Ende kein Prozess öffnet',
  };
  const writer = why[textOf(figures, 'writer')] ?? 'in die kein Prozess schreibt';
  return `wartet${since(figures)} ${probably(figures)}auf eine Pipe, ${writer}${process(figures)}`;
};

const lockHolder = (figures: Figures): string => {
  const holder = numberOf(figures, 'holder');
  const command = textOf(figures, 'command');
  if (holder === null) return 'wer sie hält, ist nicht zu sehen';
  if (numberOf(figures, 'holderGone') !== null) return `Prozess ${holder}, den sie nennt, ist beendet`;
  const own = numberOf(figures, 'own') === null ? '' : ' aus demselben Job, der auch wartet,';
  return `Prozess ${holder}${own} hält sie${command === '' ? '' : `: ${command}`}`;
};

const lock = (figures: Figures): string => {
  const how = numberOf(figures, 'polls') === null ? 'eine Sperre' : 'eine Sperrdatei';
  return `wartet${since(figures)} auf ${how}${inBrackets(textOf(figures, 'file'))}; ${lockHolder(figures)}`;
};

const polling = (figures: Figures): string => {
  const condition = textOf(figures, 'condition');
  const itself = numberOf(figures, 'itself') === null ? '' : '; die Suche findet die eigene Shell und endet daher nie';
  return `fragt ${probably(figures)}vergeblich nach${since(figures)}${condition === '' ? '' : `: ${condition}`}${process(figures)}${itself}`;
};

const spinning = (figures: Figures): string => {
  const share = numberOf(figures, 'cpuPercent');
  const used = share === null ? 'den Prozessor' : `${Math.round(share)} % eines Kerns`;
  const doubt =
    numberOf(figures, 'doubt') === null
      ? 'und erzeugt nichts'
      : 'und liest, schreibt und berührt nichts Neues: wahrscheinlich eine Endlosschleife';
  return `belegt${since(figures)} ${used} ${doubt}${process(figures)}`;
};

const descriptors = (figures: Figures): string => {
  const fds = numberOf(figures, 'fds');
  const more = numberOf(figures, 'more');
  const limit = numberOf(figures, 'limit');
  const grown = more === null ? '' : ` (${more} mehr${since(figures)})`;
  const known =
    fds === null
      ? ''
      : `, bisher ${counted(fds, 'Deskriptor', 'Deskriptoren')}${limit === null ? '' : ` von ${limit}`}`;
  return `öffnet immer neue Dateien, ohne sie zu schließen${known}${grown}${process(figures)}`;
};

const flooding = (figures: Figures): string => {
  const bytes = numberOf(figures, 'bytes') ?? numberOf(figures, 'outputBytes');
  const rate = numberOf(figures, 'bytesPerSecond');
  const free = numberOf(figures, 'freeBytes');
  const full = numberOf(figures, 'fullInSeconds');
  return [
    'die Ausgabe wächst schnell',
    ...(bytes === null ? [] : [`bisher ${bytesIn(bytes)}`]),
    ...(rate === null ? [] : [`${bytesIn(rate)} mehr je Sekunde`]),
    ...(free === null
      ? []
      : [`${bytesIn(free)} sind dort frei${full === null ? '' : `, genug für ${formatAge(full)}`}`]),
  ].join(', ');
};

const connection = (figures: Figures): string => {
  const to = textOf(figures, 'address') || textOf(figures, 'remote');
  const seconds = numberOf(figures, 'seconds');
  const unsent = numberOf(figures, 'unacknowledgedBytes');
  const unread = numberOf(figures, 'unreadBytes');
  const sent = numberOf(figures, 'sentBytes');
  const received = numberOf(figures, 'receivedBytes');
  const details = [
    ...(sent === null || received === null
      ? []
      : [`; seit dem Öffnen ${bytesIn(sent)} gesendet und ${bytesIn(received)} empfangen`]),
    ...(figures['keptAlive'] === 0 ? ['; ist die Gegenseite weg, bleibt das unbemerkt'] : []),
    ...(unsent === null ? [] : [`; die Gegenseite hat ${bytesIn(unsent)} nicht bestätigt`]),
    ...(unread === null ? [] : [`; ${bytesIn(unread)} sind angekommen und nicht gelesen`]),
  ].join('');
  const long = seconds === null ? '' : ` seit mindestens ${formatAge(seconds)}, ohne dass etwas übertragen wurde`;
  return `hält eine Verbindung offen${to === '' ? '' : ` zu ${to}`}${long}${details}${process(figures)}`;
};

const memory = (figures: Figures): string => {
  const rss = numberOf(figures, 'rssBytes');
  const swap = numberOf(figures, 'swapBytes') ?? 0;
  const pressure = numberOf(figures, 'pressurePercent');
  const has =
    rss === null
      ? 'dieser Job belegt viel davon'
      : `dieser Job belegt ${bytesIn(rss)}${swap > 0 ? `, dazu ${bytesIn(swap)} im Swap` : ''}`;
  return `der Speicher ist knapp${pressure === null ? '' : ` (Prozesse warteten ${pressure} % der letzten Minute darauf)`}, und ${has}`;
};

const zombies = (figures: Figures): string => {
  const count = numberOf(figures, 'count');
  const parent = textOf(figures, 'parent');
  const pid = numberOf(figures, 'pid');
  const children =
    count === null ? 'beendete Kindprozesse' : counted(count, 'beendeter Kindprozess', 'beendete Kindprozesse');
  const onlyParent = pid === null || parent === '' ? process(figures) : ` (nur ${parent}, Prozess ${pid}, kann das)`;
  return `${children} ${count === 1 ? 'wurde' : 'wurden'} vom Elternprozess nie abgeholt${onlyParent}`;
};

const sentences: Readonly<Record<Diagnosis['code'], (figures: Figures) => string>> = {
  'waiting-on-stdin': input,
  'waiting-on-pipe': pipe,
  'waiting-for-lock': lock,
  spinning,
  polling,
  'leaking-descriptors': descriptors,
  'flooding-output': flooding,
  stopped: (figures) => `ist angehalten${since(figures)} und wartet auf Fortsetzung${process(figures)}`,
  'zombie-children': zombies,
  'disk-wait': (figures) =>
    `wartet${since(figures)} auf eine Festplatte oder ein Netzlaufwerk${inBrackets(textOf(figures, 'place'))}${process(figures)}`,
  'deleted-folder': (figures) => `der Arbeitsordner ist gelöscht${inBrackets(textOf(figures, 'folder'))}`,
  'long-connection': connection,
  'memory-pressure': memory,
  'stale-sandbox-proxy': (figures) => `ist der Proxy einer Sandbox, deren Sitzung beendet ist${process(figures)}`,
};

/** Describes in German what is visibly wrong with a job; null for an unknown code. */
export const germanDiagnosis = (code: string, figures: Figures): string | null =>
  Object.hasOwn(sentences, code) ? sentences[code as Diagnosis['code']](figures) : null;
