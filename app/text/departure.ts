import type { Departure } from '../history/departure.ts';
import { visibleText } from '../format/visible.ts';

const causes = {
  memory: 'because the system ran low on memory',
  deadline: 'because it had reached the agent’s own time limit for background tasks',
} as const;

/** Who ended a job that Curfew did not end and how that is known, as a whole sentence for the record. `agent`: its name. */
export const sayDeparture = (departure: Departure, agent: string): string => {
  switch (departure.by) {
    case 'oom-killer':
      return departure.sure
        ? `The kernel ended it to free memory: its log names process ${departure.pid}. Curfew did not.`
        : 'Probably the kernel ended it to free memory: it ended another process of the same control group at that time. Curfew did not.';
    case 'agent':
      return `${agent} stopped it ${causes[departure.cause]} and said so to its session. Curfew did not.`;
    case 'agent-reports':
      return departure.status === 'killed'
        ? `It was stopped from within ${agent}, which reports it as “killed”: by the user, by the model, or by the agent’s end. Curfew did not end it.`
        : `It ended on its own: ${agent} reports it as “${visibleText(departure.status).slice(0, 40)}”.`;
    case 'itself':
      return `It ended on its own, with exit status ${departure.exitCode}.`;
    case 'signal':
      return `It was ended by signal ${departure.signal}, which its shell recorded and Curfew did not send.`;
    case 'curfew-run':
      return 'It ran under `curfew run`, which ends what it started at its own limit or when the command itself ends.';
    case 'session':
      return `Probably ${agent} ended it while quitting: its session ended at the same time. Curfew did not.`;
    case 'nobody-known':
      return 'It ended on its own, or something else ended it, such as a user at a terminal. Curfew did not.';
  }
};
