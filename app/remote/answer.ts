/**
 * The form in which another machine answers: records ended by NUL, which neither arguments nor file names nor variables can hold. What stands before the first
 * record (a greeting that a shell prints at login) is passed over; the token, drawn anew for each question, tells where the answer begins and ends.
 */

/** Version of the questions and answers. Both come from the same Curfew, so another one means that something else answered. */
export const answerVersion = 1;

/** The records of an answer by section, in their order. */
export type AnswerSections = ReadonlyMap<string, readonly string[]>;

/** What came back. `whole` is false when the answer breaks off. */
export type Answer =
  | { readonly ok: true; readonly whole: boolean; readonly sections: AnswerSections }
  | { readonly ok: false; readonly problem: string };

const sectionHead = /^#[a-z]{1,16}$/u;

/**
 * Takes an answer apart. Pure and total, whatever the text is: what can't be understood is refused as a whole.
 * @param text one character a byte
 */
export const parseAnswer = (text: string, token: string): Answer => {
  const begin = `${token} begin `;
  const start = text.indexOf(begin);
  if (start === -1) return { ok: false, problem: 'it gave no answer that Curfew understands' };
  const records = text.slice(start + begin.length).split('\0');
  // What follows the last NUL is a record that breaks off, or nothing.
  records.pop();
  const version = records.shift();
  if (version !== String(answerVersion))
    return { ok: false, problem: 'its answer has a form that Curfew does not know' };
  const end = records.indexOf(`${token} end`);
  const sections = new Map<string, string[]>();
  let section: string[] | null = null;
  for (const record of end === -1 ? records : records.slice(0, end)) {
    if (sectionHead.test(record)) {
      const name = record.slice(1);
      if (sections.has(name)) return { ok: false, problem: `its answer has two parts called ${name}` };
      section = [];
      sections.set(name, section);
    } else if (section === null) return { ok: false, problem: 'its answer begins in the middle' };
    else section.push(record);
  }
  return { ok: true, whole: end !== -1, sections };
};
