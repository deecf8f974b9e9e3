import { setTimeout as pause } from 'node:timers/promises';
import type { Decider, Incident, Intent } from '../../app/history/incident.ts';
import type { LeftOpen } from '../../app/left-open/left-open.ts';
import { redactCommand } from '../../app/format/secrets/redact.ts';
import { commandText, leftOpenWord } from '../../app/text/left-open/left-open.ts';
import type { Look } from '../observing/look.ts';
import type { OwnEnd } from '../ending/own-command.ts';
import { betweenSightingsMs, endByCommand, type OwnEnding, ownEndIntent } from '../ending/by-own-command.ts';
import type { Found } from './found.ts';

/** What came of an order to end something left open. */
export type LeftOpenEnd =
  | { readonly kind: 'not-found' }
  /** It may not be ended; `leftOpen` says why. */
  | { readonly kind: 'refused'; readonly leftOpen: LeftOpen }
  /** It is not what it was a moment ago. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'confirmed'; readonly found: Found & { readonly end: OwnEnd }; readonly look: Look };

/** The same process keeps it, and the same command ends it: that names server and session. */
const sameAs = (one: Found, other: Found): boolean =>
  one.leftOpen.kept.pid === other.leftOpen.kept.pid &&
  one.leftOpen.kept.startTicks === other.leftOpen.kept.startTicks &&
  commandText(one.end?.command ?? []) === commandText(other.end?.command ?? []);

/** Confirms over two looks, a second apart, that the user may end what has this id. */
export const confirmLeftOpen = async (
  id: string,
  survey: () => Promise<{ readonly look: Look; readonly found: readonly Found[] } | null>,
): Promise<LeftOpenEnd> => {
  const first = (await survey())?.found.find(({ leftOpen }) => leftOpen.id === id);
  if (first === undefined) return { kind: 'not-found' };
  if (first.end === null) return { kind: 'refused', leftOpen: first.leftOpen };
  await pause(betweenSightingsMs);
  const again = await survey();
  const second = again?.found.find(({ leftOpen }) => leftOpen.id === id);
  if (again === null || second === undefined) return { kind: 'not-found' };
  if (second.end === null) return { kind: 'refused', leftOpen: second.leftOpen };
  if (!sameAs(first, second)) return { kind: 'changed' };
  return { kind: 'confirmed', found: { leftOpen: second.leftOpen, end: second.end }, look: again.look };
};

/** What goes on disk before the command is run, or would. */
export const intentToEnd = (
  { leftOpen, end }: Found & { readonly end: OwnEnd },
  { table }: Look,
  decidedBy: Decider,
  ending: Pick<OwnEnding, 'now' | 'writer'>,
): Intent =>
  ownEndIntent(
    {
      job: leftOpen.id,
      agent: leftOpen.agent,
      rule: `left-open-${leftOpen.keeper}`,
      command: redactCommand(leftOpenWord(leftOpen)),
      project: leftOpen.project,
      session: leftOpen.session,
      owner: leftOpen.owner,
      ownerEvidence: leftOpen.evidence,
      decidedBy,
      evidence: [leftOpen.evidence, `ended by the command of its keeper: ${commandText(leftOpen.endWith)}`],
      startedAtMs: leftOpen.startedAtMs,
      rows: leftOpen.inside,
    },
    end,
    table,
    ending,
  );

/**
 * Ends something left open by its keeper's own command, after it was confirmed. The keeper compares
 * what it ends in the same moment.
 * @throws what the journal throws; then nothing was done
 */
export const endLeftOpen = async (
  ending: OwnEnding,
  { found, look }: Extract<LeftOpenEnd, { readonly kind: 'confirmed' }>,
  decidedBy: Decider,
): Promise<Incident> => {
  const { leftOpen, end } = found;
  return endByCommand(ending, intentToEnd(found, look, decidedBy, ending), end, leftOpen.inside, leftOpen.endWith);
};
