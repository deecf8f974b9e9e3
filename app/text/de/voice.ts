import type { Said } from '../../format/said.ts';
import { visibleText } from '../../format/visible.ts';
import { momentIn, type Voice } from '../voice.ts';
import { germanDesktop } from './desktop.ts';
import { bytesIn } from './figures.ts';
import { germanForms } from '../catalogue/index.ts';
import { diagnosisSaid, isDiagnosisCode } from '../diagnoses.ts';
import { evidenceSaid, isEvidenceCode, sessionSaid } from '../evidence.ts';
import { textOf } from '../figures.ts';
import { freedSaid } from '../outcomes.ts';
import { reachWordSaid } from '../reach.ts';
import { isReasonCode, reasonSaid } from '../reasons.ts';
import { inWords, type Writing } from '../say.ts';
import { isVetoCode, vetoSaid } from '../vetoes.ts';

/** Commands have German quotation marks. */
const quotedCommands = (text: string): string => text.replace(/`([^`]*)`/gu, '„$1“');

/** German by these forms. What has no key, and a key of a newer engine, stays English. */
export const germanBy = (forms: Readonly<Record<string, string>>): Writing => ({
  size: bytesIn,
  moment: momentIn('de', 'unbekannte Zeit'),
  form: (key) => (Object.hasOwn(forms, key) ? (forms[key] ?? key) : quotedCommands(key)),
  // Foreign text, such as a command.
  text: (text) => text,
});

const germanWithForeign = germanBy(germanForms);

/** The same where what has no key may be of the engine. */
const german: Writing = { ...germanWithForeign, text: quotedCommands };

const say = (said: Said): string => inWords(said, germanWithForeign);

/** German. Codes of a newer engine that are unknown here stay as the engine wrote them. */
export const germanVoice: Voice = {
  desktop: germanDesktop,
  reason: ({ code, figures, text }, evidence) => {
    if (isReasonCode(code)) return say(reasonSaid({ code, figures }, evidence ?? textOf(figures, 'evidence')));
    return isDiagnosisCode(code) ? say(diagnosisSaid({ code, figures })) : text;
  },
  veto: ({ code, figures, text }) => (isVetoCode(code) ? say(vetoSaid({ code, figures })) : text),
  evidence: ({ code, figures, text }) => (isEvidenceCode(code) ? say(evidenceSaid({ code, figures })) : text),
  said: (said) => inWords(said, german),
  owner: (state, evidence, said) => (said === undefined ? evidence : say(sessionSaid({ state, evidence: said }))),
  reachWord: (state) => say(reachWordSaid(state)),
  freed: (freed) => {
    const said = freedSaid(freed);
    return said === null ? null : visibleText(say(said));
  },
};
