import type { Said } from '../format/said.ts';
import type { Found } from '../format/secrets/safe-text.ts';
import type { Reach } from '../model/reach.ts';
import type { Statement } from '../contract/views/view.ts';
import type { Freed } from '../history/incident.ts';
import { desktopTexts } from './desktop.ts';
import { evidenceSaid, isEvidenceCode } from './evidence.ts';
import { sayFreed } from './outcomes.ts';
import { reachWord } from './reach.ts';
import { inWords, isMoment, plainEnglish } from './say.ts';

/** The texts of one language have the form of the English ones: the same keys, any words. */
export type InAnyLanguage<Text> = Text extends string
  ? string
  : Text extends (...given: infer Given) => unknown
    ? (...given: Given) => string
    : { readonly [Key in keyof Text]: InAnyLanguage<Text[Key]> };

/** Texts of tray, menus, notifications and dialogs in any language. */
export type DesktopTexts = InAnyLanguage<typeof desktopTexts>;

/**
 * What the engine says, in the language of a window. Documents carry English sentences beside their
 * codes and figures; another language says the same from codes and figures.
 */
export interface Voice {
  readonly desktop: DesktopTexts;
  /** `evidence`: how the state of the job's session is known, where that is there by key. */
  readonly reason: (statement: Found<Statement>, evidence?: Said) => string;
  readonly veto: (statement: Found<Statement>) => string;
  /** What shows that an agent started a job. */
  readonly evidence: (statement: Found<Statement>) => string;
  /** Anything else that the engine says: failures, checks, notices, notes. Without backticks. */
  readonly said: (said: Said) => string;
  /** How the state of a job's session is known; an older record has the English alone. */
  readonly owner: (state: 'live' | 'gone' | 'unknown', evidence: string, said?: Said) => string;
  /** Whether a user can reach an agent, in a word or two. */
  readonly reachWord: (state: Reach['state']) => string;
  /** What ending a job freed: `3 processes, 1.1 GB and port 3000`; null for nothing. */
  readonly freed: (freed: Found<Freed>) => string | null;
}

const asWritten = ({ text }: Found<Statement>): string => text;

/** A moment as people write it; documents and records have it in UTC. */
export const momentIn =
  (locale: string, unknown: string) =>
  (atMs: number): string =>
    isMoment(atMs)
      ? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(atMs)
      : unknown;

/** Commands stand in backticks for terminals; windows show quotation marks. */
const quotedCommands = (sentence: string): string => sentence.replace(/`([^`]*)`/gu, '“$1”');

const english = { ...plainEnglish, moment: momentIn('en-GB', 'an unknown time') };
/** The same where all that has no key is foreign text, such as a path. */
const englishWithForeign = { ...english, form: quotedCommands };

/** English: the sentences as the engine wrote them. */
export const englishVoice: Voice = {
  desktop: desktopTexts,
  reason: asWritten,
  veto: asWritten,
  evidence: ({ code, figures, text }) =>
    isEvidenceCode(code) ? inWords(evidenceSaid({ code, figures }), englishWithForeign) : text,
  said: (said) => quotedCommands(inWords(said, english)),
  owner: (_state, evidence) => evidence,
  reachWord,
  freed: (freed) => {
    const said = sayFreed(freed);
    return said === 'nothing' ? null : said;
  },
};
