import { joined, say } from '../../../app/text/say.ts';
import type { Answer } from '../../../app/contract/answer.ts';
import type { Answerers } from '../../../app/contract/answerers.ts';
import type { Incident } from '../../../app/history/incident.ts';
import { asJobId } from '../../../app/model/job.ts';
import { endByOwnCommand, type OwnEndable } from '../../ending/by-own-command.ts';
import { confirmService } from '../../ending/own-service.ts';
import type { SeenTwice } from '../../ending/two-looks.ts';
import type { Engine } from '../../engine/engine.ts';
import { confirmLeftOpen, leftOpenOf } from '../../left-open/survey.ts';
import type { Look } from '../../observing/look.ts';
import { JobTaken } from '../../reaping/admission.ts';
import { refused } from './failures.ts';
import { refusalAnswer } from './reap-answer.ts';

/** What answers about ends by a program's own command need. */
export interface OwnEndDesk {
  readonly engine: Engine;
  /** Looks at once; null before the first look. */
  readonly look: () => Look | null;
  readonly ended: (incident: Incident) => void;
}

type Ended = Promise<Answer<{ incident: string }>>;

const carryOut = async ({ engine, ended }: OwnEndDesk, seen: SeenTwice<OwnEndable>): Ended => {
  if (seen.kind !== 'confirmed') return refusalAnswer(seen);
  const came = await endByOwnCommand(engine, seen.thing, 'person');
  if ('kind' in came) return refusalAnswer(came);
  ended(came);
  if (came.outcome === 'reaped') return { ok: true, value: { incident: came.id } };
  return refused(
    'refused',
    say('It was not ended.'),
    joined(...came.events.flatMap((event) => (event.kind === 'note' ? [event.said ?? event.text] : []))),
  );
};

/** Returns the answers about what is ended by the command of the program that keeps it. */
export const ownEndAnswers = (desk: OwnEndDesk): Pick<Answerers, 'leftOpen.end' | 'agent.end'> => {
  const { engine, look } = desk;
  const ending = new Set<string>();
  const once = async (id: string, confirm: () => Promise<SeenTwice<OwnEndable>>): Ended => {
    if (ending.has(id)) return refusalAnswer({ kind: 'busy' });
    ending.add(id);
    try {
      return await carryOut(desk, await confirm());
    } catch (error) {
      if (error instanceof JobTaken) return refusalAnswer({ kind: 'busy' });
      throw error;
    } finally {
      ending.delete(id);
    }
  };
  const survey = async () => {
    const now = look();
    return now === null ? null : { look: now, found: await leftOpenOf(engine, now) };
  };
  return {
    'leftOpen.end': ({ id }) => once(id, () => confirmLeftOpen(id, survey)),
    'agent.end': ({ id }) => once(id, () => confirmService(asJobId(id), engine, look)),
  };
};
