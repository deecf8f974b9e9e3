import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { commandLineForms } from '../../app/text/catalogue/command-line/index.ts';
import { germanForms } from '../../app/text/catalogue/index.ts';
import { outcomes } from '../../app/history/incident.ts';
import { verdictStates } from '../../app/judge/verdict.ts';
import { filesIn, project } from './planted.ts';

/** What a source says: string literals, regular expressions, tables of states and outcomes. */
interface Literals {
  readonly texts: readonly string[];
  readonly expressions: readonly string[];
  readonly stateTables: number;
  readonly endingTables: number;
}

const partsOf = (node: ts.Node): readonly string[] => {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isTemplateExpression(node)) return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  return ts.isJsxText(node) ? [node.text] : [];
};

/** A table with words of people for each of these codes; colours and ranks are none. */
const isTableOf = (codes: readonly string[], node: ts.Node): boolean =>
  ts.isObjectLiteralExpression(node) &&
  codes.every((code) =>
    node.properties.some(
      (one) =>
        ts.isPropertyAssignment(one) &&
        (ts.isIdentifier(one.name) || ts.isStringLiteral(one.name)) &&
        one.name.text === code &&
        !ts.isObjectLiteralExpression(one.initializer),
    ),
  ) &&
  node.properties.some((one) => /['`][^'`]* [^'`]*['`]/u.test(one.getText()));

const literalsOf = (source: string, file = 'source.ts'): Literals => {
  const found = { texts: [] as string[], expressions: [] as string[], stateTables: 0, endingTables: 0 };
  const visit = (node: ts.Node): void => {
    found.texts.push(...partsOf(node));
    if (ts.isRegularExpressionLiteral(node)) found.expressions.push(node.text);
    if (isTableOf(verdictStates, node)) found.stateTables += 1;
    if (isTableOf(outcomes, node)) found.endingTables += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true));
  return found;
};

const sources = new Map(
  filesIn(project, '{app,main,renderer}/**/*.{ts,tsx}').map((file) => [
    file,
    literalsOf(readFileSync(join(project, file), 'utf8'), file),
  ]),
);

const filesWith = (isSo: (literals: Literals) => boolean): readonly string[] =>
  [...sources].filter(([, literals]) => isSo(literals)).map(([file]) => file);

const forms = Object.keys({ ...germanForms, ...commandLineForms });

/** Words of a regular expression that stand for themselves, of two words or more. */
const wordsIn = (expression: string): readonly string[] =>
  (expression.match(/[A-Za-z’,:;“”-]+(?: [A-Za-z’,:;“”-]+)+/gu) ?? []).filter((words) => words.length >= 10);

const matchesOwnEnglish = ({ expressions }: Literals): boolean =>
  expressions.flatMap(wordsIn).some((words) => forms.some((form) => form.includes(words)));

test('no regular expression matches English of Curfew’s own', () => {
  expect(sources.size).toBeGreaterThan(1000);
  expect(filesWith(matchesOwnEnglish)).toEqual([]);
  expect(matchesOwnEnglish(literalsOf('export const a = /^proved: seen below (.*) on (\\S+)$/u;'))).toBe(true);
});

const german = /[äöüßÄÖÜ„]|\b(?:nicht|wird|wurde|keine?|oder|läuft|beendet|unbekannt)\b/u;
const isGerman = ({ texts }: Literals): boolean => texts.some((text) => german.test(text));

test('German stands in the catalogues, and nowhere beside what is said', () => {
  const catalogues = /^(?:app\/text\/(?:catalogue|de)|renderer\/texts\/de)\//u;
  expect(filesWith(isGerman).filter((file) => !catalogues.test(file))).toEqual([]);
  expect(filesWith(isGerman).length).toBeGreaterThan(15);
});

/**
 * What speaks to windows, in any language: no sentence stands here that is not in the catalogue.
 * The command line has more of its own; other folders speak to logs, agents and collectors.
 */
const speaksToWindows =
  /^(?:app\/(?:contract|diagnose|documents|ending|history|jobs|judge|left-open|notices|reach|remote|sweep)|main\/(?:ending|interface|left-open|preload|reaping|shell\/ipc|web\/page-files))\b/u;

/** For the log, the record or a developer. */
const notForUsers: ReadonlySet<string> = new Set([
  'asking what is left open',
  'the pause could not be kept',
  'said to be the user’s',
  'a reaping was given up',
  'There is no such event.',
  'the promise was not waited for',
  'a reaping that goes on has no record',
  'a record could not be completed',
  // A call, as it is typed, and code of a shell.
  ' { command curfew agent -- ',
  'curfew settings set mode enforce',
  // A record writes so where a signal went.
  'its curfew run, process ',
]);

const words = (text: string): number => text.split(/\s+/u).filter((word) => /^[a-z’']{2,}[,.;:]?$/iu.test(word)).length;

const isSentence = (text: string): boolean => /^ ?[A-Za-z{]/u.test(text) && words(text) >= 3 && !text.includes('\n');

const withoutKey = ({ texts }: Literals, known: Readonly<Record<string, string>> = germanForms): readonly string[] =>
  texts.filter((text) => isSentence(text) && !Object.hasOwn(known, text) && !notForUsers.has(text));

test('no sentence for a window is without a key', () => {
  const spoken = [...sources].flatMap(([file, literals]) =>
    speaksToWindows.test(file) ? withoutKey(literals).map((text) => `${file}: ${text}`) : [],
  );
  expect(spoken).toEqual([]);
  expect(withoutKey(literalsOf("export const a = { message: 'The end of it could not be seen.' };"))).toHaveLength(1);
});

/** What writes reports for those who repair Curfew, journals of a service, or answers to agents. */
const staysEnglish = /^main\/cli\/(?:completion|commands\/hook\/|commands\/report\/|commands\/watch\/watch-all-users)/u;

test('no sentence of the command line is without a key', () => {
  const known = { ...germanForms, ...commandLineForms };
  const spoken = [...sources].flatMap(([file, literals]) =>
    file.startsWith('main/cli/') && !staysEnglish.test(file)
      ? withoutKey(literals, known).map((text) => `${file}: ${text}`)
      : [],
  );
  expect(spoken).toEqual([]);
  const literals = literalsOf('export const a = `curfew: ${what} was not found here`;');
  expect(withoutKey(literals, known)).toEqual([' was not found here']);
});

/** What stands around help, some of it commander's own. */
const ofHelp = /^(?:Usage|Options|Arguments|Commands|Look|End|Automate|Integrate):$|^display help for command$/u;

test('every form of the catalogue is said by a source', () => {
  const said = new Set([...sources].flatMap(([file, { texts }]) => (file.includes('/catalogue/') ? [] : texts)));
  // A store's name is said with the path behind it.
  expect(
    forms.filter((form) => !ofHelp.test(form) && !said.has(form) && !said.has(form.replace(' ({path})', ''))),
  ).toEqual([]);
});

test('the states of a job, and the outcomes of an ending, have one table each', () => {
  expect(filesWith(({ stateTables }) => stateTables > 0)).toEqual(['app/text/states.ts']);
  expect(filesWith(({ endingTables }) => endingTables > 0)).toEqual(['app/text/outcomes.ts']);
});
