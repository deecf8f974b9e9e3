import type { Wording } from '../contract/views/wording.ts';
import { sayDiagnosis } from './diagnoses.ts';
import { proofSentence, provenanceSentence } from './evidence.ts';
import { commandText, leftOpenWord, refuseLeftOpen } from './left-open.ts';
import { reachWord, refuseEnd, sayReach } from './reach.ts';
import { sayReason } from './reasons.ts';
import { redactProcess } from '../format/secrets/redact.ts';
import { inEnglish } from './say.ts';
import { sayVeto } from './vetoes.ts';

/** English sentences of every published document. */
export const english: Wording = {
  said: inEnglish,
  reason: sayReason,
  veto: sayVeto,
  diagnosis: sayDiagnosis,
  provenance: provenanceSentence,
  proof: proofSentence,
  reach: sayReach,
  reachWord,
  refusal: refuseEnd,
  leftOpen: leftOpenWord,
  leftOpenRefusal: (leftOpen) => refuseLeftOpen(leftOpen, sayVeto),
  command: commandText,
  args: (argv, comm) => redactProcess({ argv, comm }),
};
