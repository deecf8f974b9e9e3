import type { Texts } from '../en/index.ts';
import { plural } from './plural.ts';

/** What is said of leftovers together, and before several are ended, in German. */
export const leftovers: Texts['popover']['leftovers'] = {
  endAll: 'Alle beenden…',
  endAllName: (count, size) => `Alle beenden… ${plural(count, { one: '# Rest', other: '# Reste' })}, ${size}`,
  endGroup: (count) => `Diese ${count} beenden…`,
  endSession: (count) =>
    plural(count, { one: 'Rest dieser Sitzung beenden…', other: '# Reste dieser Sitzung beenden…' }),
  ports: (count) => plural(count, { one: '# Port', other: '# Ports' }),
  kinds: (proved, probable) => `${proved} bewiesen, ${probable} vermutlich`,
  askTitle: (count) => plural(count, { one: '# Rest beenden?', other: '# Reste beenden?' }),
  askJobs: (count) => plural(count, { one: '# Job beenden?', other: '# Jobs beenden?' }),
  askBody: (held) => `Die Auswahl belegt ${held}.`,
  proved: 'Übrig geblieben: Sitzung geschlossen',
  probable: 'Vermutlich übrig geblieben: nur Kennungen nennen einen Agenten',
  others: 'Nicht übrig geblieben: Sitzungen brauchen sie vielleicht noch',
  preview: 'Was beendet wird',
  choose: (command) => `Auswählen: ${command}`,
  chosenTitle: 'Ausgewählte Jobs',
  chosen: (count, held) => `${count} ausgewählt · ${held}`,
  endChosen: (count) => `${count} beenden…`,
  choseNone: 'Abwählen',
  confirm: (count) => plural(count, { one: '# Job beenden', other: '# Jobs beenden' }),
  sum: (count, freed) => `${plural(count, { one: '# Job', other: '# Jobs' })} beendet: ${freed} frei`,
  copySentence: 'Als Satz kopieren',
  sentence: (count, freed) =>
    `Curfew hat ${plural(count, {
      one: '# Job beendet, den KI-Agenten',
      other: '# Jobs beendet, die KI-Agenten',
    })} laufen gelassen hatten: ${freed} frei.`,
  refused: (count) => plural(count, { one: '# Job wurde nicht beendet:', other: '# Jobs wurden nicht beendet:' }),
};
