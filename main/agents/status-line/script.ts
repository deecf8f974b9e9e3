import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWholeFile } from '../../store/files/whole-file.ts';
import { shellWord } from '../hooks/form/hook-program.ts';

/** The script's name, by which an agent's setting is recognised as Curfew's. */
export const statusLineScriptName = 'curfew-statusline';

/** The script with the mark `@FILE@`; build/bundler/shell-text.ts puts it in this call's place. */
const template = readFileSync(new URL('./curfew-statusline.sh', import.meta.url), 'utf8');

/** Where the script is put, in the folder of hooks. */
export const statusLineScript = (folder: string): string => join(folder, statusLineScriptName);

/** Returns the text of the script. @param file what it prints, see `StatusLineFile` */
const statusLineScriptText = (file: string): string => template.replace('@FILE@', () => shellWord(file));

/** Puts the script in place. Throws the file system's error. */
export const writeStatusLineScript = (folder: string, file: string): void => {
  const path = statusLineScript(folder);
  writeWholeFile(path, statusLineScriptText(file));
  chmodSync(path, 0o700);
};

/** Removes the script. */
export const removeStatusLineScript = (folder: string): void => rmSync(statusLineScript(folder), { force: true });
