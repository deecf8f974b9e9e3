import { readFileSync } from 'node:fs';
import { answerVersion } from '../../../app/remote/answer.ts';
import { fieldColumns } from '../../os/darwin/ps/ps-fields.ts';
import { assembleScript } from './assemble.ts';

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
  FIELDS: fieldColumns({ session: '"$curfew_session="', terminal: 'tty' })
    .map((column) => (column.startsWith('"') ? `-o ${column}` : `-o ${column}=`))
    .join(' '),
};

/** The questions that a machine is asked; each file says what it reads and answers. */
export const lookScript = assembleScript(look, parts, values);
export const signalScript = assembleScript(signal, parts, values);
export const outputScript = assembleScript(output, parts, values);
export const installedScript = assembleScript(installed, parts, values);
