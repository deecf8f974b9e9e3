import type { Texts } from '../en/index.ts';

/** What the first run says, in German. */
export const welcome: Texts['welcome'] = {
  title: 'Willkommen bei Curfew',
  what: 'Curfew behält Befehle im Auge, die Coding-Agenten starten und vergessen: die einer beendeten Sitzung und die, die zu lange laufen.',
  will: 'Es beendet den ganzen Prozessbaum: erst ein höfliches Signal, KILL nur, wenn das ignoriert wird, und jedes Signal wird aufgezeichnet.',
  wont: 'Es rührt weder Editoren, Terminals, Dienste, Container noch Agenten an, und nichts, dessen Start durch einen Agenten nicht bewiesen ist.',
  question: 'Was darf Curfew von selbst tun?',
  enforce: 'Beenden, was überfällig ist',
  enforceBody: (grace, max, cap, notice) =>
    `Beendet Überreste geschlossener Sitzungen nach ${grace}, untätige Jobs nach ${max} und alles bei der Höchstdauer von ${cap}. Warnung ${notice} vorher. Ruhezustand zählt nicht.`,
  observe: 'Nur melden',
  observeBody: 'Curfew beendet nichts von selbst. Jedes Ende ist ein eigener Klick, mit denselben Knöpfen.',
  start: 'Los',
  later: 'Später entscheiden',
  change: 'Jederzeit in den Einstellungen zu ändern. Bis zur Wahl beobachtet Curfew nur.',
};
