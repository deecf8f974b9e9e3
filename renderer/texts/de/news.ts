import type { Texts } from '../en/index.ts';

/** What is told once: after an upgrade, and each week, in German. */
export const news: Texts['news'] = {
  title: (version) => `Curfew ist jetzt ${version}. Neu:`,
  items: [
    'Mehrere Jobs auswählen (x) und zusammen beenden oder behalten.',
    'Alles beenden, was eine geschlossene Sitzung zurückließ: beim Job oder unter Sitzungen.',
    'Das Symbol in der Leiste sagt, wie viel Speicher die Jobs belegen, die Aufmerksamkeit brauchen.',
  ],
  showIncident: (command) => `Im Verlauf zeigen: ${command}`,
  never: 'Nie beenden',
};
