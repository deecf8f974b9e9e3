import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile } from '../store/files/json-file.ts';
import { writeWholeFile } from '../store/files/whole-file.ts';
import { mintLoginToken, tokenLifetimeMs } from './login-token.ts';

/** A page's server on record: a second `curfew web` of the user prints its address. */
export interface Endpoint {
  readonly pid: number;
  readonly port: number;
  readonly tokenKey: Buffer;
}

export interface Address {
  readonly url: string;
  /** Wall clock, milliseconds. */
  readonly expiresAtMs: number;
}

const endpointSchema = z.object({
  pid: z.int().positive(),
  port: z.int().min(1).max(65_535),
  // The name in the file is the one that earlier versions wrote.
  passKey: z.string().regex(/^[A-Za-z0-9_-]{43}$/u),
});

const endpointPath = (state: string): string => join(state, 'web.json');
const openPath = (state: string): string => join(state, 'web-open.html');

/**
 * Writes the endpoint, readable for the user only (0600).
 * @throws the file system's error
 */
export const writeEndpoint = (state: string, { pid, port, tokenKey }: Endpoint): void =>
  writeWholeFile(endpointPath(state), `${JSON.stringify({ pid, port, passKey: tokenKey.toString('base64url') })}\n`);

/** Returns the endpoint that process `pid` wrote, or null. */
export const readEndpoint = (state: string, pid: number): Endpoint | null => {
  const file = readJsonFile(endpointPath(state));
  const parsed = endpointSchema.safeParse(file.kind === 'value' ? file.value : null);
  if (!parsed.success || parsed.data.pid !== pid) return null;
  const { port, passKey } = parsed.data;
  return { pid, port, tokenKey: Buffer.from(passKey, 'base64url') };
};

/** Removes the endpoint and the page that opens it. */
export const removeEndpoint = (state: string): void => {
  rmSync(endpointPath(state), { force: true });
  removeOpenFile(state);
};

/**
 * Returns a new address of an endpoint. The token stands behind the `#`, so that it never appears
 * in a request line.
 * @param place what the page shows then, as renderer/bridge/page-credentials.ts reads it
 */
export const freshAddress = (
  { port, tokenKey }: Pick<Endpoint, 'port' | 'tokenKey'>,
  nowMs: number,
  place: '' | '/example' = '',
): Address => ({
  url: `http://127.0.0.1:${port}/#/enter/${mintLoginToken(tokenKey, nowMs)}${place}`,
  expiresAtMs: nowMs + tokenLifetimeMs,
});

/**
 * Writes a page that redirects to an address (0600), and returns its path. A browser is started
 * with this path, because every user of the machine can read the arguments of a program
 * (https://man7.org/linux/man-pages/man5/proc_pid_cmdline.5.html). Jupyter's `use_redirect_file`
 * does the same.
 * @throws the file system's error
 */
export const writeOpenFile = (state: string, { url }: Address): string => {
  const path = openPath(state);
  writeWholeFile(
    path,
    `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${url}"><title>Curfew</title><a href="${url}">Open Curfew</a>\n`,
  );
  return path;
};

/** Removes that page; its address was used or is obsolete. */
export const removeOpenFile = (state: string): void => rmSync(openPath(state), { force: true });
