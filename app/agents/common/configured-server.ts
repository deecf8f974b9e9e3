import { programFile } from '../../paths/path.ts';

export interface ConfiguredServer {
  readonly command: string;
  readonly args: readonly string[];
}

/** What npm makes the title of `npx FLAGS PACKAGE ARGS…`, padded with blanks. */
const npxTitle = (args: readonly string[]): string => {
  const first = args.findIndex((word) => !word.startsWith('-'));
  return first < 0 ? '' : ['npm exec', ...args.slice(first)].join(' ');
};

/**
 * True for the command line of such a server: the same arguments, and the program in any folder,
 * before its name an interpreter at most (`node /usr/bin/server`).
 */
export const runsConfigured = (argv: readonly string[], { command, args }: ConfiguredServer): boolean => {
  const name = programFile(command);
  const ends = (from: number): boolean =>
    programFile(argv[from] ?? '') === name &&
    argv.length === from + 1 + args.length &&
    args.every((word, at) => argv[from + 1 + at] === word);
  if (ends(0) || ends(1)) return true;
  const title = name === 'npx' ? npxTitle(args) : '';
  return title !== '' && argv.join(' ').trim() === title;
};
