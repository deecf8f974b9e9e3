import { pluralFor } from '../forms/plural.ts';

const plural = pluralFor('en');

/** What is said of leftovers together, and before several are ended. */
export const leftovers = {
  endAll: 'End all…',
  endAllName: (count: number, size: string) =>
    `End all… ${plural(count, { one: '# leftover', other: '# leftovers' })}, ${size}`,
  endGroup: (count: number) => `End these ${count}…`,
  endSession: (count: number) =>
    plural(count, { one: 'End this session’s leftover…', other: 'End this session’s # leftovers…' }),
  ports: (count: number) => plural(count, { one: '# port', other: '# ports' }),
  kinds: (proved: number, probable: number) => `${proved} proved, ${probable} probable`,
  askTitle: (count: number) => plural(count, { one: 'End # leftover?', other: 'End # leftovers?' }),
  askJobs: (count: number) => plural(count, { one: 'End # job?', other: 'End # jobs?' }),
  askBody: (held: string) => `What is ticked holds ${held}.`,
  proved: 'Left over: their sessions are closed',
  probable: 'Probably left over: only marks name an agent',
  others: 'Not left over: their sessions may still use them',
  preview: 'What will be ended',
  choose: (command: string) => `Choose ${command}`,
  chosenTitle: 'Chosen jobs',
  chosen: (count: number, held: string) => `${count} chosen · ${held}`,
  endChosen: (count: number) => `End ${count}…`,
  choseNone: 'Choose none',
  confirm: (count: number) => plural(count, { one: 'End # job', other: 'End # jobs' }),
  sum: (count: number, freed: string) => `${plural(count, { one: '# job', other: '# jobs' })} ended: ${freed} freed`,
  copySentence: 'Copy as a sentence',
  sentence: (count: number, freed: string) =>
    `Curfew ended ${plural(count, { one: '# job', other: '# jobs' })} that AI agents had left running: ${freed} freed.`,
  refused: (count: number) => plural(count, { one: '# job was not ended:', other: '# jobs were not ended:' }),
};
