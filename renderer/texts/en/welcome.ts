/** What the first run says: in three sentences what will and what won't be ended, then one question. */
export const welcome = {
  title: 'Welcome to Curfew',
  what: 'Curfew looks after the commands that coding agents start and forget: those whose session has ended, and those that overstay their time.',
  will: 'What it ends, it ends with everything that belongs to it: it asks first, waits, and keeps a record of every signal.',
  wont: 'It never touches your editors, terminals, services, containers or agents, nor anything it can’t prove an agent started.',
  question: 'What may it do by itself?',
  enforce: 'End what is overdue',
  enforceBody: (grace: string, max: string, cap: string, notice: string) =>
    `Ends what a closed session left after ${grace}, idle jobs after ${max}, and everything at the hard cap of ${cap}. You are told ${notice} ahead. Time asleep does not count.`,
  observe: 'Only tell me',
  observeBody: 'Nothing is ended by itself. You decide each time, with the same buttons.',
  start: 'Start',
  later: 'Decide later',
  change: 'You can change this at any time in the settings. Until you choose, Curfew only observes.',
};
