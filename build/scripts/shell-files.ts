import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { z } from 'zod';

/** One fault that shellcheck found. */
export interface ShellFault {
  readonly file: string;
  readonly line: number;
  readonly code: number;
  readonly message: string;
}

const answer = z.object({
  comments: z.array(z.object({ file: z.string(), line: z.number(), code: z.number(), message: z.string() })),
});

const foreign: ReadonlySet<string> = new Set(['node_modules', '.git', 'out']);

/**
 * Returns every shell file below a folder, as paths from there, without what others or the build
 * wrote.
 */
export const shellFilesIn = (folder: string): readonly string[] =>
  globSync('**/*.sh', { cwd: folder, exclude: (path) => path.split(sep).some((part) => foreign.has(part)) })
    .map((path) => path.split(sep).join('/'))
    .toSorted();

/** Whether shellcheck can be run here. */
export const hasShellcheck = (): boolean => spawnSync('shellcheck', ['--version']).status === 0;

/** Returns a file's shell: the one that its first line names, else POSIX's. */
const shellOf = (text: string): string => /^#!.*\/(?:env )?(?<shell>bash)\b/u.exec(text)?.groups?.['shell'] ?? 'sh';

/**
 * Returns what shellcheck finds in files, with what they include by `. ./name.sh`
 * (https://github.com/koalaman/shellcheck/wiki/SC1091).
 * @throws Error when shellcheck can't be run or could not read a file.
 */
export const shellFaults = (folder: string, files: readonly string[]): readonly ShellFault[] =>
  ['sh', 'bash'].flatMap((shell) => {
    const own = files.filter((file) => shellOf(readFileSync(join(folder, file), 'utf8')) === shell);
    if (own.length === 0) return [];
    const options = [`--shell=${shell}`, '--format=json1', '--external-sources', '--source-path=SCRIPTDIR'];
    const { status, stdout, stderr, error } = spawnSync('shellcheck', [...options, '--', ...own], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (error !== undefined) throw error;
    // 1: there are faults; 2 and more: a file could not be read, or an option is wrong.
    if (status !== 0 && status !== 1) throw new Error(`shellcheck ended with ${status}: ${stderr}`);
    return answer.parse(JSON.parse(stdout)).comments;
  });
