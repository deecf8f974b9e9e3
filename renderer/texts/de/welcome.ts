import type { Texts } from '../en/index.ts';
import { plural } from './plural.ts';

/** What the first run says, in German. */
export const welcome: Texts['welcome'] = {
  title: 'Willkommen bei Curfew',
  what: 'Curfew behält Befehle im Auge, die Coding-Agenten starten und vergessen: die einer geschlossenen Sitzung und die, die zu lange laufen.',
  will: 'Es beendet den ganzen Prozessbaum: erst ein höfliches Signal, KILL nur, wenn das ignoriert wird, und jedes Signal wird aufgezeichnet.',
  wont: 'Es rührt weder Editoren, Terminals, Dienste, Container noch Agenten an, und nichts, dessen Start durch einen Agenten nicht bewiesen ist.',
  enforceBody: (grace, max, cap, notice) =>
    `Beendet Reste geschlossener Sitzungen nach ${grace}, untätige Jobs nach ${max} und alles bei der Höchstdauer von ${cap}. Warnung ${notice} vorher. Ruhezustand zählt nicht.`,
  observeBody:
    'Meldet nur: Curfew beendet nichts von selbst. Jedes Beenden ist eine eigene Entscheidung, mit denselben Knöpfen.',
  now: {
    title: 'Gerade auf diesem Rechner',
    none: 'Kein Agent hat etwas laufen lassen.',
    others: (count) => plural(count, { one: '# weiterer Job.', other: '# weitere Jobs.' }),
  },
  setup: {
    title: 'In zwei Minuten eingerichtet',
    body: 'Alles freiwillig, gilt sofort und lässt sich in den Einstellungen rückgängig machen.',
    hooks: 'Hooks in den Agenten',
    hooksBody: 'Ein Hook meldet Curfew, wann eine Sitzung beginnt und endet, damit es nicht raten muss.',
    always: 'Immer da, nie im Weg',
    notify: 'Mitteilung, bevor ein Job beendet wird',
    done: 'Fertig',
    later: 'Mehr unter Einstellungen: Grenzen, Ausnahmen, weitere Rechner.',
  },
  start: 'Weiter',
  later: 'Später entscheiden',
  change: 'Jederzeit in den Einstellungen zu ändern. Bis zur Wahl beobachtet Curfew nur.',
};
