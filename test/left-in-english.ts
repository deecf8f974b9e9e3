/** The same in each language: calls, names of commands, titles that both have, other programs. */
const sameInBoth =
  /^(?:usage|aufruf)|curfew|sleep |claude|codex|gemini|cursor|copilot|opencode|^\S*\/|--|JOB|AGENT|^-?\s*\W*$|^[a-z.]+ {2,}\S+(?: \S+)?$|^[a-z]+(?:, [a-z]+)+,?$|journalctl|set mode enforce|^\+ /iu;

/** Runs of four words in lines, so that a sentence beside a German one is found. */
const runsOf = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => {
    const words = line.split(' ');
    return words.slice(3).map((_, at) => words.slice(at, at + 4).join(' '));
  });

const isWords = (text: string): boolean => /^[\p{Letter}’']+(?: [\p{Letter}’',.;:]+){3}$/u.test(text);

/** Lines and runs of words that neither figures nor names explain: English in German. */
export const leftInEnglish = (english: readonly string[], german: readonly string[]): readonly string[] => {
  const [lines, runs] = [new Set(english), new Set(runsOf(english))];
  const same = german.filter((line) => lines.has(line) && /\p{Letter}{4}/u.test(line) && !sameInBoth.test(line));
  return [...same, ...runsOf(german).filter((run) => runs.has(run) && isWords(run) && !sameInBoth.test(run))];
};
