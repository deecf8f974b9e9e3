import type { Said } from '../../format/said.ts';
import { visibleText } from '../../format/visible.ts';
import type { ReachState } from '../../model/reach.ts';
import { momentIn, type Voice } from '../voice.ts';
import { germanDesktop } from './desktop.ts';
import { bytesIn, counted } from './figures.ts';
import { germanForms } from '../catalogue/index.ts';
import { diagnosisSaid, isDiagnosisCode } from '../diagnoses.ts';
import { evidenceSaid, isEvidenceCode, sessionSaid } from '../evidence.ts';
import { named, textOf } from '../figures.ts';
import { isReasonCode, reasonSaid } from '../reasons.ts';
import { inWords, type Writing } from '../say.ts';
import { isVetoCode, vetoSaid } from '../vetoes.ts';

/** Commands have German quotation marks. */
const quotedCommands = (text: string): string => text.replace(/`([^`]*)`/gu, '„$1“');

const forms: Readonly<Record<string, string>> = germanForms;

/** What has no key, and a key of a newer engine, stays English. */
const german: Writing = {
  size: bytesIn,
  moment: momentIn('de', 'unbekannte Zeit'),
  form: (key) => (Object.hasOwn(forms, key) ? (forms[key] ?? key) : quotedCommands(key)),
  text: quotedCommands,
};

/** The same where all that has no key is foreign text, such as a command. */
const germanWithForeign: Writing = { ...german, text: (text) => text };

const say = (said: Said): string => inWords(said, germanWithForeign);

const reachWords: Readonly<Record<ReachState, string>> = {
  unreachable: 'unerreichbar',
  finishing: 'wird gerade fertig',
  'closed-lately': 'gerade geschlossen',
  'cut-off': 'abgeschnitten',
  held: 'festgehalten',
  detached: 'abgelöst',
  headless: 'ohne Bedienung',
  service: 'Dienst',
  reachable: 'erreichbar',
  unknown: 'unbekannt',
};

/**
 * German. What a newer engine says with codes that are unknown here stays as the engine wrote it.
 */
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
  reachWord: (state) => reachWords[state],
  freed: ({ processes, rssBytes, cameAndWent, ports, locks }) => {
    const parts = [
      ...(processes === 0 ? [] : [counted(processes, 'Prozess', 'Prozesse')]),
      ...(rssBytes === 0 ? [] : [bytesIn(rssBytes)]),
      ...(ports.length === 0 ? [] : [named('Port', ports)]),
      ...(locks.length === 0 ? [] : [counted(locks.length, 'Sperre', 'Sperren')]),
    ].map(visibleText);
    if (parts.length === 0) return null;
    const freed = new Intl.ListFormat('de').format(parts);
    return cameAndWent === 0 ? freed : `${freed} (${cameAndWent} weitere kamen und gingen)`;
  },
};
