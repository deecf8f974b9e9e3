import type { Answer } from '../../../app/contract/answer.ts';
import type { Answerers } from '../../../app/contract/answerers.ts';
import { type FilesView, filesViewSchema } from '../../../app/contract/views/files-view.ts';
import { parseJson } from '../../../app/format/json.ts';
import { say } from '../../../app/text/say.ts';
import { ownCommand, whyNoCommandLine } from '../../os/programs/bounded-program.ts';
import { exchange } from '../../os/programs/exchange.ts';
import { ownEnvironment, passedOn } from '../../os/programs/passed-on.ts';
import { Turns } from '../../os/programs/turns.ts';
import { refused } from './failures.ts';

/** Git is asked about each worktree, and a removal deletes what it holds. Milliseconds. */
const timeoutMs = 600_000;
const maxBytes = 64 * 1024 * 1024;

/**
 * Returns the answers about what agents left in files. A process of its own finds and removes it,
 * `curfew sweep`: git may take long, and the supervisor goes on meanwhile.
 */
export const filesAnswers = (commandLine: string): Pick<Answerers, 'files.list' | 'files.remove'> => {
  const turns = new Turns(1);
  const sweep = async (...args: readonly string[]): Promise<Answer<FilesView>> => {
    const missing = whyNoCommandLine(commandLine);
    if (missing !== null) return refused('unsupported', missing);
    const { answer, end, said } = await exchange({
      command: [...ownCommand(commandLine), 'sweep', '--json', ...args],
      input: Buffer.alloc(0),
      environment: passedOn(ownEnvironment),
      timeoutMs,
      maxBytes,
    });
    if (end.kind === 'too-long') return refused('timeout', say('There was no answer in time.'));
    const view = filesViewSchema.safeParse(parseJson(answer.toString('utf8')));
    return view.success
      ? { ok: true, value: view.data }
      : refused('failed', say('The files could not be read: {why}.', { why: said.trim().slice(0, 500) }));
  };
  return {
    'files.list': () => turns.run(() => sweep('--dry-run')),
    'files.remove': ({ ids }) => turns.run(() => sweep('--yes', '--by', 'person', '--shown', ...ids)),
  };
};
