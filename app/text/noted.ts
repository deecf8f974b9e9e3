import { type Said, withTexts } from '../format/said.ts';
import { safeName } from '../format/secrets/safe-view.ts';
import type { IncidentEvent, Intent, SignalRecord } from '../history/incident.ts';
import { inEnglish } from './say.ts';

const keyOf = (said: Said): { readonly said?: Said } =>
  typeof said === 'string' ? {} : { said: withTexts(said, safeName) };

/** Returns a note of a record, without secrets: in English, and by key for other languages. */
export const noted = (atMs: number, said: Said): Extract<IncidentEvent, { readonly kind: 'note' }> => ({
  kind: 'note',
  atMs,
  text: safeName(inEnglish(said)),
  ...keyOf(said),
});

/** Returns what is noted of a signal. */
export const signalNote = (said: Said | null): Pick<SignalRecord, 'note' | 'said'> =>
  said === null ? { note: null } : { note: safeName(inEnglish(said)), ...keyOf(said) };

/** Returns evidence of a record, sentence by sentence. */
export const notedEvidence = (evidence: readonly Said[]): Pick<Intent, 'evidence' | 'evidenceSaid'> => ({
  evidence: evidence.map((one) => safeName(inEnglish(one))),
  evidenceSaid: evidence.map((one) => withTexts(one, safeName)),
});
