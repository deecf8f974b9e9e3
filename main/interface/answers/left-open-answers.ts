import type { Answer } from '../../../app/contract/answer.ts';
import type { Answerers } from '../../../app/contract/exchange.ts';
import type { Incident } from '../../../app/history/incident.ts';
import { english } from '../../../app/text/english.ts';
import type { Engine } from '../../engine/engine.ts';
import { confirmLeftOpen, endLeftOpen, type LeftOpenEnd } from '../../left-open/ending.ts';
import { leftOpenOf, leftOpenTools } from '../../left-open/survey.ts';
import type { Look } from '../../observing/look.ts';
import { JobTaken } from '../../reaping/admission.ts';
import { refused } from './failures.ts';

/** What answers about things left open need. */
export interface LeftOpenDesk {
  readonly engine: Engine;
  /** Looks at once; null before the first look. */
  readonly look: () => Look | null;
  readonly ended: (incident: Incident) => void;
}

type Name = Extract<keyof Answerers, `leftOpen.${string}`>;

const busy = () => refused('busy', 'It is being ended already.');

const endConfirmed = async (
  { engine, ended }: LeftOpenDesk,
  came: Extract<LeftOpenEnd, { readonly kind: 'confirmed' }>,
): Promise<Answer<{ incident: string }>> => {
  const problem = engine.journalProblem();
  if (problem !== null) return refused('journal', 'The record can’t be written, so nothing is done.', problem.message);
  const ending = { source: engine.source, journal: engine.journal, now: Date.now, writer: engine.writer };
  const incident = await endLeftOpen(ending, came, 'person');
  ended(incident);
  if (incident.outcome === 'reaped') return { ok: true, value: { incident: incident.id } };
  return refused(
    'refused',
    'It was not ended.',
    incident.events.flatMap((event) => ('text' in event ? [event.text] : [])).join(' '),
  );
};

const end = async (desk: LeftOpenDesk, id: string): Promise<Answer<{ incident: string }>> => {
  const tools = leftOpenTools(desk.engine);
  const came = await confirmLeftOpen(id, async () => {
    const look = desk.look();
    return look === null ? null : { look, found: await leftOpenOf(tools, look) };
  });
  switch (came.kind) {
    case 'not-found':
      return refused('not-found', 'It has ended.');
    case 'refused':
      return refused('vetoed', english.leftOpenRefusal(came.leftOpen) ?? 'Curfew does not end it.');
    case 'changed':
      return refused('refused', 'It is not what it was a moment ago, so nothing was done.', 'Look at it again.');
    case 'confirmed':
      return endConfirmed(desk, came);
  }
};

/** Returns the answers about what tool calls left open. */
export const leftOpenAnswers = (desk: LeftOpenDesk): Pick<Answerers, Name> => {
  const ending = new Set<string>();
  return {
    'leftOpen.end': async ({ id }) => {
      if (ending.has(id)) return busy();
      ending.add(id);
      try {
        return await end(desk, id);
      } catch (error) {
        if (error instanceof JobTaken) return busy();
        throw error;
      } finally {
        ending.delete(id);
      }
    },
  };
};
