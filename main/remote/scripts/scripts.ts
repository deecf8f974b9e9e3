import { readFileSync } from 'node:fs';
import { answerVersion } from '../../../app/remote/answer.ts';
import { psColumns } from '../../os/recorded/ps-way.ts';

/**
 * Returns a script as it is sent: each line `. ./name.sh` gives way to that part (once), marks
 * `@NAME@` to their values, and lines of comment and blank lines are left out.
 * @throws TypeError for a part or a mark that is not given.
 */
export const assembleScript = (
  script: string,
  parts: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
): string => {
  const included = new Set<string>();
  const linesOf = (text: string): readonly string[] =>
    text.split('\n').flatMap((line) => {
      const name = /^\. \.\/(?<name>[\w-]+\.sh)$/u.exec(line)?.groups?.['name'];
      if (name === undefined) return /^\s*(?:#|$)/u.test(line) ? [] : [line];
      if (included.has(name)) return [];
      included.add(name);
      const part = parts[name];
      if (part === undefined) throw new TypeError(`no part ${name}`);
      return linesOf(part);
    });
  return `${linesOf(script).join('\n')}\n`.replaceAll(/@(?<name>[A-Z_]+)@/gu, (_mark, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`no value for @${name}@`);
    return value;
  });
};

// build/bundler/shell-text.ts puts the texts in the place of these calls, so each is written out.
const head = readFileSync(new URL('./head.sh', import.meta.url), 'utf8');
const agentFiles = readFileSync(new URL('./agent-files.sh', import.meta.url), 'utf8');
const procfs = readFileSync(new URL('./procfs.sh', import.meta.url), 'utf8');
const processStatus = readFileSync(new URL('./process-status.sh', import.meta.url), 'utf8');
const farEnds = readFileSync(new URL('./far-ends.sh', import.meta.url), 'utf8');
const look = readFileSync(new URL('./look.sh', import.meta.url), 'utf8');
const confirm = readFileSync(new URL('./confirm.sh', import.meta.url), 'utf8');
const signal = readFileSync(new URL('./signal.sh', import.meta.url), 'utf8');
const output = readFileSync(new URL('./output.sh', import.meta.url), 'utf8');
const installed = readFileSync(new URL('./installed.sh', import.meta.url), 'utf8');

const parts: Readonly<Record<string, string>> = {
  'head.sh': head,
  'agent-files.sh': agentFiles,
  'procfs.sh': procfs,
  'process-status.sh': processStatus,
  'far-ends.sh': farEnds,
  'confirm.sh': confirm,
};

/** Only constants of the program stand here: data goes to a script as lines of its input. */
const values: Readonly<Record<string, string>> = {
  ANSWER_VERSION: String(answerVersion),
  FIELDS: psColumns.map((column) => (column.startsWith('"') ? `-o ${column}` : `-o ${column}=`)).join(' '),
};

/** The questions that a machine is asked; each file says what it reads and answers. */
export const lookScript = assembleScript(look, parts, values);
export const signalScript = assembleScript(signal, parts, values);
export const outputScript = assembleScript(output, parts, values);
export const installedScript = assembleScript(installed, parts, values);
