import { filled, type Said } from '../../format/said.ts';
import { visibleText } from '../../format/visible.ts';
import type { Voice } from '../voice.ts';
import { germanDesktop } from './desktop.ts';
import { germanDiagnosis } from './diagnoses.ts';
import { germanEvidence, germanRecord } from './evidence.ts';
import { bytesIn, counted } from './figures.ts';
import { germanLeftOpen, germanOpenedBy } from './left-open.ts';
import { germanReach } from './reach.ts';
import { germanReason } from './reasons.ts';
import { germanForms } from '../catalogue/index.ts';
import { germanVeto } from './vetoes.ts';
import { objectionIn } from '../say.ts';
import { sayVeto } from '../vetoes.ts';

const owners = {
  live: 'die Sitzung ist offen',
  gone: 'die Sitzung ist beendet',
  unknown: 'unbekannt, welche Sitzung es gestartet hat',
} as const;

/** A size has a decimal comma, a command German quotation marks. */
const ownWords = (text: string): string =>
  /^\d+\.\d+ [kMGT]B$/u.test(text) ? text.replace('.', ',') : text.replace(/`([^`]*)`/gu, '„$1“');

const forms: Readonly<Record<string, string>> = germanForms;

/** What has no key, and a key of a newer engine, stays English. */
const inGerman = (said: Said): string => {
  if (typeof said === 'string') return ownWords(said);
  const objection = objectionIn(said);
  if (objection !== null) return germanVeto(objection.code, objection.figures) ?? sayVeto(objection);
  const { key, figures } = said;
  return filled(Object.hasOwn(forms, key) ? (forms[key] ?? '') : ownWords(key), figures, inGerman);
};

/**
 * German. What a newer engine says with codes that are unknown here stays as the engine wrote it.
 */
export const germanVoice: Voice = {
  desktop: germanDesktop,
  reason: ({ code, figures, text }) => germanReason(code, figures) ?? germanDiagnosis(code, figures) ?? text,
  veto: ({ code, figures, text }) => germanVeto(code, figures) ?? text,
  evidence: ({ code, figures, text }) => germanEvidence(code, figures) ?? text,
  record: (sentence) => germanRecord(sentence) ?? sentence,
  said: inGerman,
  owner: (state, _evidence, said) => (said === undefined ? owners[state] : `${owners[state]}: ${inGerman(said)}`),
  reach: ({ state }) => germanReach[state],
  leftOpen: ({ keeper, openedBy, name, refusalCode }) => ({
    text: `${keeper}-${keeper === 'tmux' || keeper === 'screen' ? 'Sitzung' : 'Container'} ${visibleText(name)}`,
    why: refusalCode === null ? germanOpenedBy[openedBy] : germanLeftOpen[refusalCode],
  }),
  freed: ({ processes, rssBytes, cameAndWent, ports, locks }) => {
    const parts = [
      ...(processes === 0 ? [] : [counted(processes, 'Prozess', 'Prozesse')]),
      ...(rssBytes === 0 ? [] : [bytesIn(rssBytes)]),
      ...(ports.length === 0 ? [] : [`${ports.length === 1 ? 'Port' : 'Ports'} ${ports.join(', ')}`]),
      ...(locks.length === 0 ? [] : [counted(locks.length, 'Sperre', 'Sperren')]),
    ].map(visibleText);
    if (parts.length === 0) return null;
    const freed = new Intl.ListFormat('de').format(parts);
    return cameAndWent === 0 ? freed : `${freed} (${cameAndWent} weitere kamen und gingen)`;
  },
};
