import type { ReaderPart } from '../../process/reader-check.ts';
import { textOf, type Figures } from '../figures.ts';

const words: Readonly<Record<ReaderPart, string>> = {
  start: 'ein Programm, das Curfew startet',
  table: 'die Liste der Prozesse',
  parent: 'der Elternprozess',
  groups: 'die Prozessgruppe eines Prozesses',
  name: 'der Name eines Programms',
  launched: 'was das System selbst gestartet hat',
  terminal: 'das Terminal eines Prozesses',
  connections: 'beide Enden einer Verbindung',
  identity: 'die Identität eines Prozesses',
  arguments: 'die Argumente eines Prozesses',
  environment: 'die Umgebung eines Prozesses',
  files: 'offene Dateien und Ordner',
  channels: 'beide Enden einer Pipe',
  signal: 'ein Signal, das seinen Prozess erreicht',
  'wrong-signal': 'ein Signal, das keinen anderen Prozess erreichen darf',
};

const wordOf = (part: string): string => (Object.hasOwn(words, part) ? words[part as ReaderPart] : part);

/** Says in German what `sayUnproved` says, by the figures of the problem. */
export const germanUnproved = (figures: Figures): string => {
  const failed = textOf(figures, 'parts')
    .split(' ')
    .filter((part) => part !== '')
    .map(wordOf)
    .join(', ');
  const fallback = textOf(figures, 'fallback');
  return [
    `Der Selbsttest von ${textOf(figures, 'reader')} ist gescheitert: ${failed === '' ? 'nicht durchführbar' : failed}.`,
    ...(fallback === '' ? [] : [`Curfew liest die Prozesse stattdessen über ${fallback}.`]),
    'Von selbst wird nichts beendet; was von Hand beendet wird, wird weiter geprüft.',
    'Bitte melden, was „curfew doctor --json“ ausgibt.',
  ].join(' ');
};
