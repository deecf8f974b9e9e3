import { pluralFor } from '../forms/plural.ts';

const plural = pluralFor('en');

/** What is said of leftovers together, and before several are ended. */
export const leftovers = {
  endAll: 'End all…',
  endAllName: (count: number, size: string) => `End all… ${plural(count, { other: '# leftovers' })}, ${size}`,
  endGroup: (count: number) => `End these ${count}…`,
  endGroupName: (count: number, project: string, size: string) =>
    `End these ${count}… leftovers of ${project}, ${size}`,
  group: (project: string, agent: string) => `${project} · ${agent}`,
  ports: (count: number) => plural(count, { one: '# port', other: '# ports' }),
  hold: (count: number, held: string) =>
    plural(count, { one: '# leftover holds', other: '# leftovers hold' }) + ` ${held}`,
  kinds: (proved: number, probable: number) => `${proved} proved, ${probable} probable`,
  freed: (size: string, processes: string, since: string | null) =>
    `${size} and ${processes} freed ${since === null ? 'this week' : `since ${since}`}`,
  askTitle: (count: number) => plural(count, { one: 'End # leftover?', other: 'End # leftovers?' }),
  askBody: (held: string) => `What is ticked holds ${held}.`,
  proved: 'Left over: their sessions are closed',
  probable: 'Probably left over: only marks name an agent',
  preview: 'What will be ended',
  confirm: (count: number) => plural(count, { one: 'End # job', other: 'End # jobs' }),
  sum: (count: number, freed: string) => `${plural(count, { one: '# job', other: '# jobs' })} ended: ${freed} freed`,
  copySentence: 'Copy as a sentence',
  sentence: (count: number, freed: string) =>
    `Curfew ended ${plural(count, { one: '# job', other: '# jobs' })} that AI agents had left running: ${freed} freed.`,
  refused: (count: number) => plural(count, { one: '# job was not ended:', other: '# jobs were not ended:' }),
};
