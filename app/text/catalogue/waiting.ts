/** Whether an agent or a job is at work, and what became of one that was waited for. */
export const waiting = {
  // Whether an agent or a job is at work.
  '{agent} (process {pid})': '{agent} (Prozess {pid})',
  'job {job} of {agent}': 'Job {job} von {agent}',
  'At work: {list}.': 'Bei der Arbeit: {list}.',
  'No agent and no job of one is here.': 'Hier gibt es weder einen Agenten noch einen Job.',
  'Nothing has been at work for {time}.': 'Seit {time} hat nichts gearbeitet.',
  'Nothing has been at work for {time}; {limit} are asked for.':
    'Seit {time} hat nichts gearbeitet; verlangt sind {limit}.',
  // What became of a job that was waited for.
  '{job} still runs: {command}': '{job} läuft noch: {command}',
  '{job} has ended: {command}': '{job} ist beendet: {command}',
  '{job} has ended with status {status}: {command}': '{job} ist mit Status {status} beendet: {command}',
  '{job} was ended by Curfew ({outcome}): {command}': '{job} wurde von Curfew beendet ({outcome}): {command}',
} as const;
