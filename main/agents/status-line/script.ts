import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWholeFile } from '../../store/files/whole-file.ts';
import { type HookProgram, shellWord } from '../hooks/form/hook-program.ts';
import { looksFolder, makeLooksFolder } from './looks.ts';

/** The script's name, by which an agent's setting is recognised as Curfew's. */
export const statusLineScriptName = 'curfew-statusline';

/** The script with marks `@NAME@`; build/bundler/shell-text.ts puts it in this call's place. */
const template = readFileSync(new URL('./curfew-statusline.sh', import.meta.url), 'utf8');

/** Where the script is put, in the folder of hooks. */
export const statusLineScript = (folder: string): string => join(folder, statusLineScriptName);

const scriptText = (file: string, { command, environment }: Pick<HookProgram, 'command' | 'environment'>): string => {
  const values: Readonly<Record<string, string>> = {
    FILE: shellWord(file),
    LOOKS: shellWord(looksFolder(file)),
    NODE: shellWord(command[0]),
    PROGRAM: shellWord(command.at(-1) ?? ''),
    ENVIRONMENT: Object.entries(environment)
      .map(([name, value]) => `${name}=${shellWord(value)}`)
      .join(' '),
  };
  return template
    .replaceAll(/^ *# shellcheck .*\n/gmu, '')
    .replaceAll(/@(?<name>[A-Z]+)@/gu, (mark, name: string) => values[name] ?? mark);
};

/**
 * Puts the script in place. Throws the file system's error.
 * @param file what it prints, see `StatusLineFile`
 * @param program what it starts where no supervisor watches
 */
export const writeStatusLineScript = (
  folder: string,
  file: string,
  program: Pick<HookProgram, 'command' | 'environment'>,
): void => {
  const path = statusLineScript(folder);
  makeLooksFolder(file);
  writeWholeFile(path, scriptText(file, program));
  chmodSync(path, 0o700);
};

/** Removes the script. */
export const removeStatusLineScript = (folder: string): void => rmSync(statusLineScript(folder), { force: true });
