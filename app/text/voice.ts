import type { Said } from '../format/said.ts';
import type { Found } from '../format/secrets/safe-text.ts';
import type { AgentView } from '../contract/views/agent-view.ts';
import type { LeftOpenView } from '../contract/views/left-open-view.ts';
import type { Statement } from '../contract/views/view.ts';
import type { Freed } from '../history/incident.ts';
import { desktopTexts } from './desktop.ts';
import { sayFreed } from './outcomes.ts';
import { inEnglish } from './say.ts';

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
  readonly reason: (statement: Found<Statement>) => string;
  readonly veto: (statement: Found<Statement>) => string;
  /** What proves that an agent started a job. */
  readonly evidence: (statement: Found<Statement>) => string;
  /** Evidence of a record, which keeps it as an English sentence. */
  readonly record: (sentence: string) => string;
  /** Anything else that the engine says: failures, checks, notices, notes. Without backticks. */
  readonly said: (said: Said) => string;
  /** How the state of a job's session is known; an older record has the English alone. */
  readonly owner: (state: 'live' | 'gone' | 'unknown', evidence: string, said?: Said) => string;
  /** Whether a user can reach an agent: in a word or two, and why. */
  readonly reach: (agent: Found<Pick<AgentView, 'state' | 'word' | 'text'>>) => {
    readonly word: string;
    readonly text: string;
  };
  /** What a tool call left open, in a few words, and why it has an end or none. */
  readonly leftOpen: (
    one: Pick<LeftOpenView, 'keeper' | 'openedBy' | 'name' | 'text' | 'refusal' | 'refusalCode' | 'evidence'>,
  ) => {
    readonly text: string;
    readonly why: string;
  };
  /** What ending a job freed: `3 processes, 1.1 GB and port 3000`; null for nothing. */
  readonly freed: (freed: Found<Freed>) => string | null;
}

const asWritten = ({ text }: Found<Statement>): string => text;

/** A moment as people write it; documents and records have it in UTC. */
const firstSeen = (atMs: number): string =>
  `first seen ${new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(atMs)}`;

/** Commands stand in backticks for terminals; windows show quotation marks. */
const quotedCommands = (sentence: string): string => sentence.replace(/`([^`]*)`/gu, '“$1”');

const recordedSeen = /^Curfew first saw it on (\S+) at (\S+) UTC$/u;

const recorded = (sentence: string): string => {
  const found = recordedSeen.exec(sentence);
  return found === null ? sentence : firstSeen(Date.parse(`${found[1] ?? ''}T${found[2] ?? ''}Z`));
};

/** English: the sentences as the engine wrote them. */
export const englishVoice: Voice = {
  desktop: desktopTexts,
  reason: asWritten,
  veto: asWritten,
  evidence: ({ code, figures, text }) => {
    const { firstSeenMs } = figures;
    return code === 'ledger' && typeof firstSeenMs === 'number' ? firstSeen(firstSeenMs) : text;
  },
  record: recorded,
  said: (said) => quotedCommands(inEnglish(said)),
  owner: (_state, evidence) => evidence,
  reach: ({ word, text }) => ({ word, text }),
  leftOpen: ({ text, refusal, evidence }) => ({ text, why: refusal ?? evidence }),
  freed: (freed) => {
    const said = sayFreed(freed);
    return said === 'nothing' ? null : said;
  },
};
