import type { Said } from '../format/said.ts';
import type { Wording } from '../contract/views/wording.ts';
import { sayDiagnosis } from './diagnoses.ts';
import { sayEvidence } from './evidence.ts';
import { commandText, leftOpenRefused, leftOpenWord } from './left-open.ts';
import { endRefused, reachWord, sayReach } from './reach.ts';
import { sayReason } from './reasons.ts';
import { redactProcess } from '../format/secrets/redact.ts';
import { inEnglish, sayVeto } from './say.ts';

const ifSaid = (said: Said | null): string | null => (said === null ? null : inEnglish(said));

/** English sentences of every published document. */
export const english: Wording = {
  said: inEnglish,
  reason: sayReason,
  veto: sayVeto,
  diagnosis: sayDiagnosis,
  evidence: sayEvidence,
  reach: sayReach,
  reachWord,
  refusal: (reach, ownEnd) => ifSaid(endRefused(reach, ownEnd)),
  leftOpen: leftOpenWord,
  leftOpenRefusal: (leftOpen) => ifSaid(leftOpenRefused(leftOpen)),
  command: commandText,
  args: (argv, comm) => redactProcess({ argv, comm }),
};
