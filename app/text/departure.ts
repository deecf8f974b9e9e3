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
        ? `The kernel ended it for want of memory: its log names process ${departure.pid}. Curfew did not.`
        : 'Probably the kernel ended it for want of memory: it did so to somebody in the same control group at that time. Curfew did not.';
    case 'agent':
      return `${agent} stopped it itself ${causes[departure.cause]}: it told its session so. Curfew did not.`;
    case 'agent-reports':
      return departure.status === 'killed'
        ? `It was stopped from within ${agent}, which tells of it as “killed”: by the person, by the model, or by the agent’s end. Curfew did not end it.`
        : `It ended by itself: ${agent} tells of it as “${visibleText(departure.status).slice(0, 40)}”.`;
    case 'itself':
      return `It ended by itself, with exit status ${departure.exitCode}.`;
    case 'signal':
      return `It was ended by signal ${departure.signal}, which its shell wrote down, and which Curfew did not send.`;
    case 'curfew-run':
      return 'It ran under `curfew run`, which ends what it started at its own limit or when the command itself ends.';
    case 'session':
      return `Probably ${agent} ended it on its own way out: its session ended at the same time. Curfew did not.`;
    case 'nobody-known':
      return 'It ended by itself, or somebody else ended it, such as a person at a terminal. Curfew did not.';
  }
};
