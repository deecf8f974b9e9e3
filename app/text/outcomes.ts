import type { Found } from '../format/secrets/safe-text.ts';
import type { Freed, Incident, Outcome } from '../history/incident.ts';
import { formatBytes } from '../format/bytes.ts';
import { counted, named } from './figures.ts';
import { inEnglish, listed, say, sayObjection, sayVeto } from './say.ts';
import { type Said, withTexts } from '../format/said.ts';
import { visibleText } from '../format/visible.ts';

const outcomeWords: Readonly<Record<Outcome, string>> = {
  reaped: 'ended',
  killed: 'killed',
  survived: 'survived',
  spared: 'spared',
  vanished: 'ended on its own',
  interrupted: 'interrupted',
};

/** Returns an outcome in one or two words, for a list. `null`: no outcome is recorded. */
export const outcomeWord = (outcome: Outcome | null): string =>
  outcome === null ? 'not finished' : outcomeWords[outcome];

/**
 * Says why a reaping did not end the whole job: survivors, vetoes, an interruption, or what is
 * known of an end that Curfew did not cause. Empty if nothing went wrong. Control characters are
 * made visible.
 */
export const shortfallOf = ({
  outcome,
  survivors,
  events,
}: Pick<Incident, 'outcome' | 'survivors' | 'events'>): Said => {
  if (outcome === 'spared') {
    const vetoes = events.flatMap((event) => (event.kind === 'veto' ? event.vetoes : []));
    const different = new Map(vetoes.map((veto) => [sayVeto(veto), sayObjection(veto)]));
    return different.size === 0 ? '' : listed([...different.values()], '; ');
  }
  // The last note holds what was found out afterwards; for an interruption, what was still running.
  const note = events.findLast((event) => event.kind === 'note');
  const unnamed = outcome === 'survived' && survivors.length === 0;
  if (outcome === 'vanished' || unnamed || (outcome === 'interrupted' && note !== undefined))
    return note?.said === undefined ? visibleText(note?.text ?? '') : withTexts(note.said, visibleText);
  if (survivors.length === 0) return '';
  return say('still running: {list}', {
    list: survivors.map(({ pid, args }) => `${pid} ${visibleText(args)}`).join(', '),
  });
};

/** Returns the same in English. */
export const sayShortfall = (incident: Parameters<typeof shortfallOf>[0]): string => inEnglish(shortfallOf(incident));

/**
 * Says what ending a job freed: `3 processes, 1.1 GB and port 3000`. `nothing` if no process was
 * confirmed dead.
 */
export const sayFreed = ({ processes, rssBytes, cameAndWent, ports, locks }: Found<Freed>): string => {
  const parts = [
    ...(processes === 0 ? [] : [counted(processes, 'process', 'processes')]),
    ...(rssBytes === 0 ? [] : [formatBytes(rssBytes)]),
    ...(ports.length === 0 ? [] : [named('port', ports)]),
    ...(locks.length === 0 ? [] : [counted(locks.length, 'lock')]),
  ];
  const last = parts.pop();
  if (last === undefined) return 'nothing';
  const freed = parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
  return cameAndWent === 0 ? freed : `${freed} (${cameAndWent} more came and went)`;
};
