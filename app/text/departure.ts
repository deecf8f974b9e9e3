import type { Said } from '../format/said.ts';
import { visibleText } from '../format/visible.ts';
import type { Departure } from '../history/departure.ts';
import { say } from './say.ts';

/** Says, as a sentence, what ended a job that Curfew didn't, and how that is known. */
export const sayDeparture = (departure: Departure, agent: string): Said => {
  switch (departure.by) {
    case 'oom-killer':
      return departure.sure
        ? say('The kernel ended it to free memory: its log names process {pid}. Curfew did not.', {
            pid: departure.pid ?? 0,
          })
        : say(
            'Probably the kernel ended it to free memory: it ended another process of the same control group at that time. Curfew did not.',
          );
    case 'agent':
      return departure.cause === 'memory'
        ? say('{agent} stopped it because the system ran low on memory and said so to its session. Curfew did not.', {
            agent,
          })
        : say(
            '{agent} stopped it because it had reached the agent’s own time limit for background tasks and said so to its session. Curfew did not.',
            { agent },
          );
    case 'agent-reports':
      return departure.status === 'killed'
        ? say(
            'It was stopped from within {agent}, which reports it as “killed”: by the user, by the model, or by the agent’s end. Curfew did not end it.',
            { agent },
          )
        : say('It ended on its own: {agent} reports it as “{status}”.', {
            agent,
            status: visibleText(departure.status).slice(0, 40),
          });
    case 'itself':
      return say('It ended on its own, with exit status {status}.', { status: departure.exitCode });
    case 'signal':
      return say('It was ended by signal {signal}, which its shell recorded and Curfew did not send.', {
        signal: departure.signal,
      });
    case 'curfew-run':
      return say(
        'It ran under `curfew run`, which ends what it started at its own limit or when the command itself ends.',
      );
    case 'session':
      return say('Probably {agent} ended it while quitting: its session ended at the same time. Curfew did not.', {
        agent,
      });
    case 'unknown':
      return say('It ended on its own, or something else ended it, such as a user at a terminal. Curfew did not.');
  }
};
