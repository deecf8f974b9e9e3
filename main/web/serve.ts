import type { RequestListener } from 'node:http';
import type { CurfewService } from '../interface/curfew-service.ts';
import type { Downloads } from './downloads.ts';
import { EventStreams } from './event-stream.ts';
import { refusalOf } from './guard.ts';
import { type Listening, listen } from './listen.ts';
import { LoginTokens } from './login-token.ts';
import { pageApp } from './page-app.ts';
import type { PageFile } from './page-files.ts';
import { Sessions } from './sessions.ts';
import { getRequestListener } from '@hono/node-server';

/**
 * Headers of every response. Scripts and styles only from our own files, nothing from elsewhere, no
 * frames, no caching, no referrer, and no CORS header anywhere: other origins get nothing. Names
 * and values as https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html
 * recommends them.
 */
export const responseHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=()',
};

export interface PageServerOptions {
  readonly service: CurfewService;
  readonly files: ReadonlyMap<string, PageFile>;
  readonly downloads: Downloads;
  readonly tokenKey: Buffer;
  /** 0: any free port. */
  readonly port: number;
  /** Called when a browser has signed in and used its token. */
  readonly entered: () => void;
}

export interface PageServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/**
 * Serves the interface on the loopback addresses. hono, because it has many maintainers, needs
 * nothing else, and weighs 113 kB in our bundle where fastify (5.12) weighs 1.3 MB, its own logger
 * and validator included, and polka has not moved for years. Its known vulnerabilities were in
 * parts that are not used here: serving files from folders, and tokens
 * (https://github.com/honojs/hono/security/advisories).
 * @throws PortTaken
 */
export const servePage = async (options: PageServerOptions): Promise<PageServer> => {
  const streams = new EventStreams(options.service);
  let listening: Listening | null = null;
  const bound = (): Listening => {
    if (listening === null) throw new Error('a request came before the server listened');
    return listening;
  };
  const app = pageApp({
    ...options,
    streams,
    sessions: new Sessions(),
    loginTokens: new LoginTokens(options.tokenKey),
    connections: () => bound().connections,
    cookieName: () => `curfew-${bound().port}`,
  });
  const answer = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: () => new Response('This request makes no sense.', { status: 400 }),
  });
  const listener: RequestListener = (request, response) => {
    for (const [name, value] of Object.entries(responseHeaders)) response.setHeader(name, value);
    const refusal = refusalOf({ method: request.method ?? '', url: request.url ?? '', rawHeaders: request.rawHeaders });
    if (refusal !== null) {
      // Nothing more is read from this client.
      response.writeHead(refusal.status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
      response.end(`${refusal.text}\n`);
      return;
    }
    answer(request, response).catch((error: unknown) => {
      options.service.report(error, 'answering the page');
      response.destroy();
    });
  };
  listening = await listen(options.port, listener);
  const { close, port } = listening;
  return {
    port,
    close: async () => {
      streams.close();
      await close();
    },
  };
};
