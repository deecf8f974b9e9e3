import { programNames } from './program.ts';

/**
 * Options of interactive shells that take the next argument: what editors start their built-in
 * terminals with.
 */
const optionsWithValue = programNames('--rcfile --init-file --init-command -C -o +o -O +O');

/** True when a POSIX shell was given neither a command nor a script: a user types into it. */
export const isInteractive = (options: readonly string[]): boolean => {
  for (let at = 0; at < options.length; at += 1) {
    const option = options[at] ?? '';
    // PowerShell says outright that it stays after its script.
    if (/^-noexit$/iu.test(option)) return true;
    if (optionsWithValue.has(option)) at += 1;
    else if (!/^[-+]/u.test(option) || /^-[a-zA-Z]*c/u.test(option) || option === '--command') return false;
  }
  return true;
};
