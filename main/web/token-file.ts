import { randomBytes } from 'node:crypto';
import { lstatSync, type Stats } from 'node:fs';
import { codeOf, messageOf } from '../../app/format/error-message.ts';
import { writeWholeFile } from '../store/files/whole-file.ts';
import { readBoundedText } from '../os/files/own-file.ts';
import { hasModes } from '../os/this-system.ts';

/** The token of the scrape address can't be used; the message says why, and what to do. */
export class TokenFailure extends Error {
  override readonly name = 'TokenFailure';
}

/** RFC 6750, 2.1: what may stand behind `Bearer`. Shorter ones can be guessed. */
const form = /^[A-Za-z0-9._~+/-]{32,200}={0,2}$/u;

const find = (path: string): Stats | null => {
  try {
    return lstatSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

/** Why a file with secrets of this user is not to be trusted; null: it is. */
export const whyUntrusted = (found: Stats): string | null => {
  if (!found.isFile()) return 'it is no regular file; remove it, and Curfew makes a new one';
  if (!hasModes) return null;
  if (process.getuid !== undefined && found.uid !== process.getuid())
    return 'it belongs to another user; remove it, and Curfew makes a new one';
  if ((found.mode & 0o077) !== 0)
    return 'other users can read or change it; remove it, and Curfew makes a new one (then give that to Prometheus)';
  return null;
};

/**
 * Returns the token of the scrape address. It stays the same from start to start, so that
 * Prometheus needs to be told once; a missing one is made, 256 random bits, for the user only
 * (0600).
 * @throws TokenFailure
 */
export const metricsToken = (path: string): string => {
  const failed = (why: string): TokenFailure =>
    new TokenFailure(`the token of the metrics, ${path}, can't be used: ${why}`);
  try {
    const found = find(path);
    if (found === null) {
      const token = randomBytes(32).toString('base64url');
      writeWholeFile(path, `${token}\n`);
      return token;
    }
    const problem = whyUntrusted(found);
    if (problem !== null) throw failed(problem);
    const token = readBoundedText(path).trim();
    if (!form.test(token))
      throw failed('it is not 32 to 200 letters and digits; remove it, and Curfew makes a new one');
    return token;
  } catch (error) {
    throw error instanceof TokenFailure ? error : failed(messageOf(error));
  }
};
