import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '../../../../app/format/error-message.ts';
import { anonymiser } from '../../../../app/report/anonymise.ts';
import { reportText } from '../../../../app/report/bundle.ts';
import { withEngine } from '../../../engine/engine.ts';
import { agrees } from '../../common/agrees.ts';
import type { ExitStatus } from '../../common/exit-status.ts';
import { exitStatus, NotDone } from '../../common/exit-status.ts';
import type { Output } from '../../common/output.ts';
import { writeJson } from '../../common/output.ts';
import { identityHere, sectionsOf } from './sections.ts';

/** Options of `curfew report`. */
export interface ReportOptions {
  /** Where it is written; null: a new file in the working folder. */
  readonly file: string | null;
  readonly yes: boolean;
  readonly json: boolean;
}

/** Returns the report on this machine, as it would be written. */
const textHere = async (output: Output): Promise<string> => {
  return withEngine({ uid: null, warn: output.warn, allServers: true }, async (engine) => {
    await engine.source.refresh?.();
    const anonymise = anonymiser(identityHere(engine));
    return reportText(await sectionsOf(engine), new Date().toISOString().slice(0, 10), anonymise);
  });
};

/** Whether it is to be written: by option, or asked for on a terminal. */
const isConfirmed = async (options: ReportOptions, path: string, output: Output): Promise<boolean> => {
  if (options.yes) return true;
  if (!options.json && output.isTerminal && process.stdin.isTTY)
    return agrees(`Write this to ${path}? Read it first: it is meant to be sent to others. [y/N] `);
  output.warn('curfew: nothing was written; `curfew report --yes` writes without asking');
  return false;
};

/** Never over another file, and readable for the user alone until it is sent. */
const write = (path: string, text: string): void => {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new NotDone(
      exists
        ? `${path} is there already and stays as it is; \`--output FILE\` names another`
        : `the report could not be written: ${messageOf(error)}`,
      { cause: error },
    );
  }
};

/**
 * `curfew report`: prints one redacted report on this machine, and writes it with `--yes` or after
 * the user has agreed on the terminal.
 * @throws NotDone when it can't be written
 */
export const report = async (options: ReportOptions, output: Output): Promise<ExitStatus> => {
  const text = await textHere(output);
  const path = resolve(options.file ?? `curfew-report-${new Date().toISOString().replaceAll(/[:.]/gu, '-')}.md`);
  if (!options.json) await output.write(text);
  const written = await isConfirmed(options, path, output);
  if (written) write(path, text);
  if (options.json) await writeJson(output, { schema: 1, path: written ? path : null, text });
  else if (written) output.warn(`Written to ${path}.`);
  return exitStatus.done;
};
