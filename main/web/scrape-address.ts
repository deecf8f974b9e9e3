import { hash } from './sessions.ts';
import { timingSafeEqual } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { contentTypes, type ExpositionFormat, negotiate } from '../../app/metrics/exposition.ts';
import { refusalOf } from './guard.ts';
import { listen, type Listening } from './listen.ts';
import { TokenBucket } from './token-bucket.ts';

/** What the numbers are served with. */
export interface ScrapeOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly token: string;
  /** Returns the numbers as they are now. */
  readonly text: (format: ExpositionFormat) => string;
  /** Hears what went wrong while answering. */
  readonly report: (error: unknown) => void;
}

export interface ScrapeAddress {
  readonly url: string;
  readonly close: () => Promise<void>;
}

const scrapePath = '/metrics';
const portOption = '--metrics-port';

/** A Prometheus asks once in several seconds; a few of them, and a user who tries. */
const rate = { burst: 20, perSecond: 5 } as const;

/** The token that a header shows; null where it shows none. */
const shownToken = (header: string | undefined): string | null =>
  /^Bearer +(?<token>\S+) *$/iu.exec(header ?? '')?.groups?.['token'] ?? null;

/**
 * Serves the numbers on the loopback addresses, for programs that send the token. Checks the same
 * of every request as the page does: Host against DNS rebinding, other sites, lengths, time limits.
 * No hono: one path with one verb needs no router.
 * @throws PortTaken
 */
export const openScrapeAddress = async (options: ScrapeOptions): Promise<ScrapeAddress> => {
  const wanted = hash(options.token);
  const bucket = new TokenBucket(rate.burst, rate.perSecond, Date.now());
  let listening: Listening | null = null;
  const listener: RequestListener = (request, response) => {
    const answer = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): void => {
      response.writeHead(status, {
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Length': Buffer.byteLength(text),
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        // Of a client that was refused nothing more is read.
        ...(status === 200 ? {} : { Connection: 'close' }),
        ...headers,
      });
      response.end(text);
    };
    const refusal = refusalOf({ method: request.method ?? '', url: request.url ?? '', rawHeaders: request.rawHeaders });
    if (refusal !== null && refusal.status !== 405) return answer(refusal.status, `${refusal.text}\n`);
    if (request.method !== 'GET') return answer(405, 'GET only.\n', { Allow: 'GET' });
    const shown = shownToken(request.headers.authorization);
    // Hashes have one length, so the comparison tells nothing of the token, its length neither.
    if (shown === null || !timingSafeEqual(hash(shown), wanted))
      return answer(401, 'Send the token of the file metrics-token as Authorization: Bearer.\n', {
        'WWW-Authenticate': 'Bearer realm="curfew"',
      });
    listening?.connections.trust(request.socket);
    if (request.url !== scrapePath) return answer(404, `There is only ${scrapePath} here.\n`);
    if (!bucket.take(Date.now())) return answer(429, 'Too many at once.\n', { 'Retry-After': '1' });
    const format = negotiate(request.headers.accept ?? null);
    try {
      return answer(200, options.text(format), { 'Content-Type': contentTypes[format], Vary: 'Accept' });
    } catch (error) {
      options.report(error);
      return answer(500, 'Curfew could not do this; its log says why.\n');
    }
  };
  listening = await listen(options.port, listener, portOption);
  const { port, close } = listening;
  return { url: `http://127.0.0.1:${port}${scrapePath}`, close };
};
