import { inEnglish } from '../../../../app/text/say.ts';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ExportContent } from '../../../../main/interface/answers/surface.ts';
import { browsersFile } from '../../../../main/web/browsers-file.ts';
import { Downloads, readPageFiles } from '../../../../main/web/page-files.ts';
import { mintLoginToken, newTokenKey } from '../../../../main/web/login-token.ts';
import { servePage } from '../../../../main/web/serve.ts';
import { tinyService, type TinyService } from './tiny-service.ts';

/** A server on a free port, with a page of two files beside a secret one. */
export interface TestServer {
  readonly port: number;
  readonly origin: string;
  readonly service: TinyService;
  /** The log. */
  readonly reported: readonly string[];
  readonly entered: () => number;
  readonly pass: (atMs?: number) => string;
  readonly close: () => Promise<void>;
}

const content: ExportContent = {
  name: 'curfew "history".csv',
  mediaType: 'text/csv',
  pieces: function* () {
    yield 'id,command\n';
    yield '1,"npm run dev"\n';
  },
};

/** A folder for what a server remembers, which is removed with the test. */
export const stateFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Starts a server that is closed with the test. */
export const startServer = async (port = 0, state = stateFolder()): Promise<TestServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-page-'));
  const page = join(folder, 'page');
  mkdirSync(join(page, 'assets'), { recursive: true });
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>Curfew</title>');
  writeFileSync(join(page, 'assets', 'index.js'), 'export {};');
  writeFileSync(join(page, 'assets', 'index.js.map'), '{}');
  writeFileSync(join(folder, 'secret.html'), 'a secret');
  const files = readPageFiles(page);
  rmSync(folder, { recursive: true });
  if (files === null) throw new Error('no page');
  const downloads = new Downloads();
  const reported: string[] = [];
  const report = (error: unknown, doing: string): void => void reported.push(`${doing}: ${String(error)}`);
  const service = tinyService(downloads, content, report);
  let entered = 0;
  const tokenKey = newTokenKey();
  const server = await servePage({
    service,
    files,
    downloads,
    tokenKey,
    port,
    browsers: browsersFile(state, report, () => false),
    words: inEnglish,
    entered: () => {
      entered += 1;
    },
  });
  onTestFinished(async () => server.close());
  return {
    port: server.port,
    origin: `http://127.0.0.1:${server.port}`,
    service,
    reported,
    entered: () => entered,
    pass: (atMs = Date.now()) => mintLoginToken(tokenKey, atMs),
    close: server.close,
  };
};

/** The credentials of a browser after signing in. */
export interface SignedIn {
  readonly cookie: string;
  readonly key: string;
}

/** Sends a POST as the page does. */
export const post = async (
  server: TestServer,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${server.origin}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: server.origin, ...headers },
    body: JSON.stringify(body),
  });

/** Signs in with a new token. */
export const signIn = async (server: TestServer): Promise<SignedIn> => {
  const response = await post(server, '/api/enter', { pass: server.pass() });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  const { key } = (await response.json()) as { key?: string };
  if (cookie === undefined || key === undefined) throw new Error(`not signed in: ${response.status}`);
  return { cookie, key };
};

/** Returns the headers of a signed-in browser. */
export const proof = ({ cookie, key }: SignedIn): Record<string, string> => ({ Cookie: cookie, 'X-Curfew-Key': key });

/** Sends bytes exactly as they are and returns the answer until the server disconnects. */
export const sendRaw = async (server: Pick<TestServer, 'port'>, text: string, host = '127.0.0.1'): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(server.port, host, () => socket.write(text));
    let said = '';
    socket.setEncoding('latin1').on('data', (piece: string) => (said += piece));
    socket.on('close', () => {
      resolve(said);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may disconnect while we are still sending.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(said);
      else reject(error);
    });
  });

/** Returns a request as text; `Connection: close` gives the answer an end. */
export const request = (line: string, headers: readonly string[], body = ''): string =>
  `${[line, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`;
