import type { ProcessTable } from '../../app/process/table.ts';
import { joined, say } from '../../app/text/say.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { note, ok, problem, type SaidFinding } from './finding.ts';

/** Says through what processes are read, and what of them is not told. */
export const howProcessesAreRead = (
  source: Pick<ProcessSource, 'name' | 'canReap' | 'unanswered'>,
  table: Pick<ProcessTable, 'rows' | 'complete' | 'unread'>,
): SaidFinding => {
  const { name, canReap } = source;
  if (!canReap)
    return problem(
      'Processes',
      say(
        'Read through {source}, which can’t identify processes safely enough to end them; Curfew only reports here.',
        { source: name },
      ),
    );
  const { unread = 0 } = table;
  if (unread > 0)
    return problem(
      'Processes',
      say(
        'Read through {source}, which could not read {count} of the system’s rows, so a session that isn’t seen counts as unknown.',
        { source: name, count: unread },
      ),
    );
  if (!table.complete)
    return note(
      'Processes',
      say('Read through {source}; the machine hides a part of them, so a session that isn’t seen counts as unknown.', {
        source: name,
      }),
    );
  const unanswered = source.unanswered?.() ?? [];
  const all = say('{count} read through {source}.', { count: table.rows.size, source: name });
  if (unanswered.length === 0) return ok('Processes', all);
  return note(
    'Processes',
    joined(
      all,
      say(
        'The system does not tell what these have open, as where a network volume is out of reach: {pids}. That proves nothing, and ends nothing.',
        { pids: unanswered.join(', ') },
      ),
    ),
  );
};
