import type { Said } from '../format/said.ts';

/**
 * Answer format of another machine: records ended by NUL, which arguments, file names and variables
 * can't hold. Text before the first record (a login greeting) is skipped; a fresh token per
 * question marks the beginning and the end of the answer.
 */

/** Version of the questions and answers; another one means an answer that isn't Curfew's. */
export const answerVersion = 1;

/** Records of an answer by section, in order. */
export type AnswerSections = ReadonlyMap<string, readonly string[]>;

/** A parsed answer. `whole` is false if the answer is truncated. */
export type Answer =
  | { readonly ok: true; readonly whole: boolean; readonly sections: AnswerSections }
  | { readonly ok: false; readonly problem: Said };

const refused = (problem: string, figures: Readonly<Record<string, string>> = {}): Answer => ({
  ok: false,
  problem: { key: problem, figures },
});

/**
 * More records than that are no answer: each costs memory here, and a machine could send one for
 * each byte. 8,000 processes with 50 open files each make about a million.
 */
const maxRecords = 2_000_000;

const hasTooMany = (text: string, from: number): boolean => {
  let at = from;
  for (let count = 0; count <= maxRecords; count += 1) {
    at = text.indexOf('\0', at) + 1;
    if (at === 0) return false;
  }
  return true;
};

const sectionHead = /^#[a-z]{1,16}$/u;

/**
 * Parses an answer. Pure and total; refuses as a whole what it doesn't understand.
 * @param text one character a byte
 */
export const parseAnswer = (text: string, token: string): Answer => {
  const begin = `${token} begin `;
  const start = text.indexOf(begin);
  if (start === -1) return refused('it gave no answer that Curfew understands');
  if (hasTooMany(text, start)) return refused('its answer has more parts than Curfew reads');
  const records = text.slice(start + begin.length).split('\0');
  // What follows the last NUL is a truncated record, or nothing.
  records.pop();
  const version = records.shift();
  if (version !== String(answerVersion)) return refused('its answer has a form that Curfew does not know');
  const end = records.indexOf(`${token} end`);
  const sections = new Map<string, string[]>();
  let section: string[] | null = null;
  for (const record of end === -1 ? records : records.slice(0, end)) {
    if (sectionHead.test(record)) {
      const name = record.slice(1);
      if (sections.has(name)) return refused('its answer has two parts called {name}', { name });
      section = [];
      sections.set(name, section);
    } else if (section === null) return refused('its answer begins in the middle');
    else section.push(record);
  }
  return { ok: true, whole: end !== -1, sections };
};
