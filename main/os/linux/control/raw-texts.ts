import { readFileSync } from 'node:fs';
import type { CText, Libc } from './libc.ts';

const nul = Buffer.of(0);

/** Returns a text as C takes it. */
export const cText = (text: string): CText => Buffer.concat([Buffer.from(text, 'utf8'), nul]);

const entries = (bytes: Buffer): readonly Buffer[] => {
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0, at);
    const stop = end === -1 ? bytes.length : end;
    found.push(bytes.subarray(at, stop));
    at = stop + 1;
  }
  return found;
};

/**
 * Returns the words of a command as bytes. Node decodes its arguments and loses invalid UTF-8; if
 * the command is the end of our own command line, as for `curfew run -- CMD…`, the kernel's copy is
 * used.
 */
export const rawCommand = (command: readonly string[]): readonly CText[] => {
  const given = command.map(cText);
  let own: readonly Buffer[];
  try {
    own = entries(readFileSync('/proc/self/cmdline'));
  } catch {
    return given;
  }
  const tail = own.slice(-command.length);
  const same = tail.length === command.length && tail.every((bytes, at) => bytes.toString('utf8') === command[at]);
  return same ? tail.map((bytes) => Buffer.concat([bytes, nul])) : given;
};

/** Returns our environment byte for byte as given, with some variables replaced or added. */
export const rawEnvironment = (changes: Readonly<Record<string, string>>): readonly CText[] => {
  const names = Object.keys(changes).map((name) => Buffer.from(`${name}=`, 'utf8'));
  const kept = entries(readFileSync('/proc/self/environ')).filter(
    (entry) => entry.length > 0 && !names.some((name) => entry.subarray(0, name.length).equals(name)),
  );
  return [
    ...kept.map((entry) => Buffer.concat([entry, nul])),
    ...Object.entries(changes).map(([name, value]) => cText(`${name}=${value}`)),
  ];
};

/** O_NONBLOCK. */
const nonBlocking = 0o4000;

/** Node makes a piped standard output non-blocking for all that share it: EAGAIN for commands. */
export const letBlock = (libc: Pick<Libc, 'fileFlags' | 'setFileFlags'>, fd: number): void => {
  const flags = libc.fileFlags(fd);
  if (flags >= 0 && (flags & nonBlocking) !== 0) libc.setFileFlags(fd, flags & ~nonBlocking);
};
