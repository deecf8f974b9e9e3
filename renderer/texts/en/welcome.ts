/**
 * What the first run says: in three sentences what will and what won't be ended, then one question.
 */
export const welcome = {
  title: 'Welcome to Curfew',
  what: 'Curfew keeps an eye on the commands that coding agents start and forget: those whose session is closed, and those that overstay their time.',
  will: 'It ends the whole process tree: a polite signal first, KILL if that is ignored, and a record of every signal.',
  wont: 'It never touches your editors, terminals, services, containers or agents, nor anything it can’t prove an agent started.',
  question: 'What may Curfew do on its own?',
  enforce: 'End what is overdue',
  enforceBody: (grace: string, max: string, cap: string, notice: string) =>
    `Ends leftovers of closed sessions after ${grace}, idle jobs after ${max}, and everything at the hard cap of ${cap}. You are told ${notice} ahead. Time asleep does not count.`,
  observe: 'Only tell me',
  observeBody: 'Curfew won’t end anything on its own. You decide each time, with the same buttons.',
  start: 'Start',
  later: 'Decide later',
  change: 'You can change this at any time in the settings. Until you choose, Curfew only observes.',
};
