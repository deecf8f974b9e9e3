import { pluralFor } from '../forms/plural.ts';

const plural = pluralFor('en');

/** The first run's words: three sentences on what ends and what doesn't, and one question. */
export const welcome = {
  title: 'Welcome to Curfew',
  what: 'Curfew keeps an eye on the commands that coding agents start and forget: those whose session is closed, and those that overstay their time.',
  will: 'It ends the whole process tree: a polite signal (TERM) first, KILL if that is ignored, and a record of every signal.',
  wont: 'It never touches your editors, terminals, services, containers or agents, nor anything it can’t prove an agent started.',
  enforceBody: (grace: string, max: string, cap: string, notice: string) =>
    `Ends leftovers ${grace} after their session closed, idle jobs after ${max}, and anything at the hard cap of ${cap}, with ${notice} warning. Time asleep does not count.`,
  observeBody: 'Only tells you: Curfew won’t end anything on its own. You decide each time, with the same buttons.',
  now: {
    title: 'On this machine now',
    none: 'No agent has left anything running.',
    others: (count: number) => plural(count, { one: '# other job.', other: '# other jobs.' }),
  },
  setup: {
    title: 'Two minutes to set up',
    body: 'All of this is optional, takes effect at once, and can be undone in the settings.',
    hooks: 'Hooks in your agents',
    hooksBody: 'A hook tells Curfew when a session begins and ends, so that it doesn’t have to guess.',
    always: 'Always there, never in the way',
    notify: 'Notify before a job is ended',
    done: 'Done',
    later: 'More under Settings: limits, exemptions, other machines.',
  },
  start: 'Continue',
  later: 'Decide later',
  change: 'You can change this at any time in the settings. Until you choose, Curfew only observes.',
};
