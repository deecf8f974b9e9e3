import { byKey, type Said } from '../../app/format/said.ts';
import { say } from '../../app/text/say.ts';
import type { RequestListener } from 'node:http';
import { answerQuestion } from '../../app/contract/answerers.ts';
import type { CurfewService } from '../interface/curfew-service.ts';
import { type ConnectionLimiter, type Listening, listen } from './listen.ts';
import { type Downloads, downloadPath, type PageFile } from './page-files.ts';
import { EventStreams } from './event-stream.ts';
import { refusalOf } from './guard.ts';
import { LoginTokens } from './login-token.ts';
import { type KnownBrowsers, type Session, Sessions } from './sessions.ts';
import { TokenBucket } from './token-bucket.ts';
import { type HttpBindings, getRequestListener } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { setCookie } from 'hono/cookie';
import { stream, streamSSE } from 'hono/streaming';
import { parse } from 'hono/utils/cookie';
import { z } from 'zod';

/** What the routes use. */
export interface PageAppOptions {
  readonly files: ReadonlyMap<string, PageFile>;
  readonly service: CurfewService;
  readonly loginTokens: LoginTokens;
  readonly sessions: Sessions;
  readonly downloads: Downloads;
  readonly streams: EventStreams;
  readonly connections: () => ConnectionLimiter;
  /** Cookies belong to a host, not a port: two servers here must not overwrite each other's. */
  readonly cookieName: () => string;
  /** Called when a browser has signed in and used its token. */
  readonly entered: () => void;
  /** Puts what a browser shows without the page into words. */
  readonly words: (said: Said) => string;
}

/** Bytes; more than the largest question of a view (100,000 characters to the rule tester). */
const maxQuestionBytes = 512 * 1024;
/** Bytes; more than a token and its JSON. */
const maxLoginBytes = 1024;
const maxStreams = 32;
const enterPath = '/api/enter';

/** Rate limit without a session: a user types a few times; no rate guesses a token. */
const strangers = { burst: 60, perSecond: 20 } as const;

const eventsSchema = z.strictObject({
  have: z.strictObject({ revision: z.int().nonnegative(), at: z.string().max(40) }).nullable(),
});

const enterSchema = z.strictObject({ pass: z.string().max(200) });

/** As long as browsers keep a cookie at most; how long it is worth something, `Sessions` says. */
const cookieSeconds = 400 * 24 * 3600;

type Bindings = { Bindings: HttpBindings; Variables: { session: Session } };

const tooMany = (): Response =>
  new Response('Too many at once.', {
    status: 429,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '1' },
  });

const notSignedIn = say('Not signed in: open the address that “curfew web” prints.');

const attachment = (name: string): string => `attachment; filename="${name.replaceAll(/[^A-Za-z0-9._-]/gu, '_')}"`;

/** Returns the routes of the page. Requests have passed `refusalOf`. */
const pageApp = (options: PageAppOptions): Hono<Bindings> => {
  const { files, service, loginTokens, sessions, downloads, streams, words } = options;
  const app = new Hono<Bindings>();
  // Any server of this host can set one of that name, for a longer path, and so put it before ours.
  const cookiesIn = (header = ''): readonly string[] =>
    header
      .split(';')
      .map((pair) => parse(pair, options.cookieName())[options.cookieName()])
      .filter((cookie) => cookie !== undefined);
  const anonymous = new TokenBucket(strangers.burst, strangers.perSecond, Date.now());

  app.onError((error, context) => {
    service.report(error, 'answering the page');
    return context.text(words(say('Curfew could not do this; its log says why.')), 500);
  });
  app.notFound((context) => context.text(words(say('There is nothing here.')), 404));

  app.use('/api/*', async (context, next) => {
    const nowMs = Date.now();
    const key = context.req.header('x-curfew-key');
    const both = cookiesIn(context.req.header('cookie'))
      .map((cookie) => sessions.withBoth(cookie, key, nowMs))
      .find((session) => session !== null);
    if (both !== undefined) {
      options.connections().trust(context.env.incoming.socket);
      if (!both.questions.take(nowMs)) return tooMany();
      context.set('session', both);
      return next();
    }
    // Signing in is rate-limited only after its token failed: otherwise other clients could lock
    // out the user by guessing.
    return context.req.path === enterPath || anonymous.take(nowMs) ? next() : tooMany();
  });
  const limitedTo = (maxSize: number): MiddlewareHandler => {
    // The rest of the body is not read.
    const hangUp = { Connection: 'close' };
    const limit = bodyLimit({
      maxSize,
      onError: (context) => context.text('Too long for a question.', 413, hangUp),
    });
    // One in pieces would fail inside, and each failure goes to the log. Browsers say the length.
    return (context, next) =>
      context.req.header('transfer-encoding') === undefined
        ? limit(context, next)
        : Promise.resolve(context.text('A question says how long it is.', 411, hangUp));
  };
  const limited = limitedTo(maxQuestionBytes);

  app.post(enterPath, limitedTo(maxLoginBytes), async (context) => {
    const asked = enterSchema.safeParse(await context.req.json().catch(() => null));
    if (!asked.success || !loginTokens.redeem(asked.data.pass, Date.now())) {
      if (!anonymous.take(Date.now())) return tooMany();
      return asked.success
        ? context.text('This address was used or is too old.', 401)
        : context.text('This is no question of Curfew’s page.', 400);
    }
    const { cookie, key } = sessions.open(Date.now());
    setCookie(context, options.cookieName(), cookie, {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      maxAge: cookieSeconds,
    });
    options.connections().trust(context.env.incoming.socket);
    options.entered();
    return context.json({ key });
  });

  app.get(`${downloadPath}:id`, (context) => {
    // A browser that fetches a file sends its cookie, but can't send the key; the address itself is
    // one.
    const cookies = cookiesIn(context.req.header('cookie'));
    if (cookies.every((cookie) => sessions.withCookie(cookie, Date.now()) === null))
      return context.text(words(notSignedIn), 401);
    const content = downloads.take(context.req.param('id'), Date.now());
    if (content === null)
      return context.text(words(say('This export was fetched already, or waited too long. Export again.')), 404);
    context.header('Content-Type', `${content.mediaType}; charset=utf-8`);
    context.header('Content-Disposition', attachment(content.name));
    return stream(context, async (body) => {
      for (const piece of content.pieces()) {
        if (body.aborted) return;
        await body.write(piece);
      }
    });
  });

  const signedIn = new Hono<Bindings>();
  signedIn.use('*', async (context, next) => {
    // Undefined at run time without a session, whatever its type says.
    if ((context.get('session') as Session | undefined) === undefined) return context.text(words(notSignedIn), 401);
    return next();
  });
  signedIn.post('/ask/:name', limited, async (context) => {
    let input: unknown;
    try {
      input = await context.req.json();
    } catch {
      return context.text('This is no JSON.', 400);
    }
    return context.json(await answerQuestion(service.answerers, context.req.param('name'), input, service.report));
  });
  signedIn.post('/events', limited, async (context) => {
    const asked = eventsSchema.safeParse(await context.req.json().catch(() => null));
    if (!asked.success) return context.text('This is no question of Curfew’s page.', 400);
    if (streams.size >= maxStreams) return context.text('Too many pages are open; close some.', 503);
    const session = context.get('session');
    const hangUp = session.listens();
    return streamSSE(
      context,
      async (events) => {
        try {
          await streams.tell(events, asked.data.have, {
            isIn: () => sessions.isIn(session, Date.now()),
            drop: () => void context.env.outgoing.destroy(),
          });
        } finally {
          hangUp(Date.now());
        }
      },
      async (error) => service.report(error, 'telling the page'),
    );
  });
  app.route('/api', signedIn);

  app.get('*', (context) => {
    // As sent: nothing is decoded or joined, so there is no path to escape from.
    const [target = ''] = (context.env.incoming.url ?? '').split('?', 1);
    const file = files.get(target);
    if (file === undefined) return context.text(words(say('There is nothing here.')), 404);
    return context.body(file.content, 200, { 'Content-Type': file.type });
  });
  return app;
};

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

export interface PageServerOptions extends Pick<
  PageAppOptions,
  'service' | 'files' | 'downloads' | 'entered' | 'words'
> {
  readonly tokenKey: Buffer;
  /** 0: any free port. */
  readonly port: number;
  readonly browsers: KnownBrowsers;
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
  const sessions = new Sessions(options.browsers, Date.now(), () => listening?.port ?? options.port);
  const bound = (): Listening => {
    if (listening === null) throw new Error('a request came before the server listened');
    return listening;
  };
  const app = pageApp({
    ...options,
    streams,
    sessions,
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
      response.end(`${options.words(byKey(refusal.text))}\n`);
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
      sessions.save(Date.now());
    },
  };
};
