import type { Found } from '../format/secrets/safe-text.ts';
import type { Freed, Incident, Outcome } from '../history/incident.ts';
import { portsSaid, sayOf, several, sized } from './form.ts';
import { type Form, inEnglish, listed, say, sayObjection, sayVeto } from './say.ts';
import { type Said, withTexts } from '../format/said.ts';
import type { ReapingView } from '../contract/views/reaping-view.ts';
import { visibleText } from '../format/visible.ts';

/** How far an end is, or how it went. `unfinished`: no outcome is recorded. */
export type Ending = Outcome | 'unfinished' | Exclude<ReapingView['phase'], 'ended'>;

/** Each in one or two words, and in a sentence: for windows, command line and agents alike. */
const endings = {
  confirming: ['verifying', 'Verifying the processes…'],
  asked: ['{signal} sent', '{signal} sent.'],
  killing: ['KILL sent', 'It ignored the first signal. KILL is sent.'],
  reaped: ['ended', 'Ended after the first signal.'],
  killed: ['killed', 'It ignored the first signal. KILL ended it.'],
  survived: ['survived', 'Some processes survived KILL.'],
  spared: ['spared', 'Stopped: a process is protected or was replaced. Nothing else was signalled.'],
  vanished: ['ended on its own', 'It was gone before Curfew sent a signal.'],
  interrupted: ['interrupted', 'Curfew itself ended before this was over. The record is incomplete.'],
  unfinished: ['not finished', 'The job is being ended, or the outcome wasn’t recorded.'],
} as const satisfies Readonly<Record<Ending, readonly [word: Form, sentence: Form]>>;

const isEnding = (code: string): code is Ending => Object.hasOwn(endings, code);

/** A code of a newer engine stands for itself. */
const said =
  (form: 0 | 1) =>
  (ending: string | null, signal: string | null = null): Said => {
    const code = ending ?? 'unfinished';
    return isEnding(code) ? { key: endings[code][form], figures: { signal: signal ?? 'TERM' } } : code;
  };

/** Returns an end in one or two words. `signal`: the first one, once it was sent. */
export const endingSaid = said(0);

/** Returns an end as a sentence. */
export const endingSentence = said(1);

/** Returns how far a reaping is, or how it ended. */
export const endingOf = ({ phase, outcome }: Pick<ReapingView, 'phase' | 'outcome'>): Ending =>
  phase === 'ended' ? (outcome ?? 'reaped') : phase;

/** How records write where a signal went. */
const targets = ['group {pgid}', 'process {pid}', 'its curfew run, process {pid}'] as const satisfies readonly Form[];

const lastWord = (text: string): string => text.slice(text.lastIndexOf(' ') + 1);

/** Returns where a signal went, as a record has it; a text of an older record stands for itself. */
export const targetSaid = (target: string): Said => {
  const form = targets.find((one) => target.startsWith(one.slice(0, one.indexOf('{'))));
  return form === undefined ? target : sayOf<'pgid' | 'pid', string>(form, { pgid: lastWord, pid: lastWord }, target);
};

/** Returns an outcome in one or two words of English. `null`: no outcome is recorded. */
export const outcomeWord = (outcome: string | null): string => inEnglish(endingSaid(outcome));

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

/** Says what ending a job freed: `3 processes, 1.1 GB and port 3000`; null for nothing. */
export const freedSaid = ({ processes, rssBytes, cameAndWent, ports, locks }: Found<Freed>): Said | null => {
  const parts = [
    ...(processes === 0 ? [] : [several(processes, 'process')]),
    ...(rssBytes === 0 ? [] : [sized(rssBytes)]),
    ...(ports.length === 0 ? [] : [portsSaid(ports)]),
    ...(locks.length === 0 ? [] : [several(locks.length, 'lock')]),
  ];
  const last = parts.pop();
  if (last === undefined) return null;
  const freed = parts.length === 0 ? last : say('{list} and {last}', { list: listed(parts, ', '), last });
  return cameAndWent === 0 ? freed : say('{freed} ({count} more came and went)', { freed, count: cameAndWent });
};

/** Returns the same in English; `nothing` if no process was confirmed dead. */
export const sayFreed = (freed: Found<Freed>): string => inEnglish(freedSaid(freed) ?? say('nothing'));
