import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { TokenBucket } from './token-bucket.ts';

/** A signed-in browser. */
export class Session {
  readonly keyHash: Buffer;
  /** Its rate limit. */
  readonly questions: TokenBucket;
  #seenAtMs: number;
  #listening = 0;

  constructor(keyHash: Buffer, nowMs: number, seenAtMs = nowMs) {
    this.keyHash = keyHash;
    this.questions = new TokenBucket(burst, perSecond, nowMs);
    this.#seenAtMs = seenAtMs;
  }

  get seenAtMs(): number {
    return this.#seenAtMs;
  }

  /** It has sent a request. Wall clock in ms; a clock set back has no effect. */
  seen(nowMs: number): void {
    this.#seenAtMs = Math.max(this.#seenAtMs, nowMs);
  }

  /** One of its pages listens from now on; call the result, with wall clock ms, when it is gone. */
  listens(): (nowMs: number) => void {
    this.#listening += 1;
    return (nowMs) => {
      this.#listening -= 1;
      this.seen(nowMs);
    };
  }

  /** Returns whether it is unused for too long. */
  isOver(nowMs: number): boolean {
    return this.#listening === 0 && nowMs - this.#seenAtMs > unusedMs;
  }
}

/** What a browser gets once and sends from then on. */
export interface Credentials {
  /** Goes into an HttpOnly cookie, out of reach of any script. */
  readonly cookie: string;
  /**
   * Kept by the page in the storage of its origin. Browsers send a cookie of 127.0.0.1 to every
   * port of it (RFC 6265, 8.5: cookies do not provide isolation by port), so any server on this
   * machine may see the cookie, but never this.
   */
  readonly key: string;
}

/** More browsers are not one user's; the one unused longest is signed out. */
const maxSessions = 64;

/** Ms to sign an unused browser out: over a long weekend, but not for a forgotten machine. */
const unusedMs = 7 * 24 * 3_600_000;

/** A page sends a few requests a second, and a few more while the user types in a preview. */
const burst = 300;
const perSecond = 60;

/** Returns the SHA-256 of a text, to compare and to keep instead of it. */
export const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A signed-in browser as it is kept: the SHA-256 of what it sends, in hex. */
export interface StoredSession {
  readonly cookie: string;
  readonly key: string;
  /** Wall clock, ms. */
  readonly seenAtMs: number;
}

/** Where the signed-in browsers outlive the server, by the port at which they signed in. */
export interface KnownBrowsers {
  readonly read: (port: number) => readonly StoredSession[];
  /** Whether what was written is still there: the user signs all out by removing it. */
  readonly isThere: () => boolean;
  /** Returns whether it is written. Never throws. */
  readonly write: (browsers: readonly StoredSession[], port: number) => boolean;
}

/** A write this often keeps a week's rest from looking like more after a crash; ms. */
const writeEveryMs = 3_600_000;
/** How soon it is noticed that all were signed out; ms. */
const checkEveryMs = 2_000;

/** The signed-in browsers. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #known: KnownBrowsers;
  readonly #port: () => number;
  #triedAtMs = -Infinity;
  #isWritten = false;
  #checkedAtMs = -Infinity;

  /** @param port at which the page is, or is going to be */
  constructor(known: KnownBrowsers, nowMs: number, port: () => number) {
    this.#known = known;
    this.#port = port;
    for (const { cookie, key, seenAtMs } of known.read(port()))
      this.#sessions.set(cookie, new Session(Buffer.from(key, 'hex'), nowMs, Math.min(seenAtMs, nowMs)));
    if (this.#sessions.size > 0) this.save(nowMs);
  }

  /** Writes down who is signed in, unless the user has signed all out. */
  save(nowMs: number): void {
    this.#obey();
    this.#write(nowMs);
  }

  /** Signs all out where the user has removed what was written: that must not be written again. */
  #obey(): void {
    if (this.#isWritten && !this.#known.isThere()) this.#sessions.clear();
  }

  #write(nowMs: number): void {
    this.#triedAtMs = nowMs;
    const all = [...this.#sessions].filter(([, session]) => !session.isOver(nowMs));
    this.#isWritten = this.#known.write(
      all.map(([cookie, { keyHash, seenAtMs }]) => ({ cookie, key: keyHash.toString('hex'), seenAtMs })),
      this.#port(),
    );
  }

  #check(nowMs: number): void {
    if (Math.abs(nowMs - this.#checkedAtMs) < checkEveryMs) return;
    this.#checkedAtMs = nowMs;
    this.#obey();
    if (Math.abs(nowMs - this.#triedAtMs) >= writeEveryMs) this.#write(nowMs);
  }

  /** Whether a browser that was signed in still is; asked while a page of it listens. */
  isIn(session: Session, nowMs: number): boolean {
    this.#check(nowMs);
    return [...this.#sessions.values()].includes(session);
  }

  /** Signs a browser in. */
  open(nowMs: number): Credentials {
    this.#obey();
    const credentials = { cookie: randomBytes(32).toString('base64url'), key: randomBytes(32).toString('base64url') };
    const id = hash(credentials.cookie).toString('hex');
    this.#sessions.set(id, new Session(hash(credentials.key), nowMs));
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > maxSessions && oldest !== undefined) this.#sessions.delete(oldest);
    this.#write(nowMs);
    return credentials;
  }

  /** Returns the session of this cookie, or null. Found by hash: timing reveals no secret. */
  withCookie(cookie: string | undefined, nowMs: number): Session | null {
    if (cookie === undefined) return null;
    this.#check(nowMs);
    const id = hash(cookie).toString('hex');
    const session = this.#sessions.get(id);
    if (session === undefined) return null;
    this.#sessions.delete(id);
    if (session.isOver(nowMs)) return null;
    session.seen(nowMs);
    this.#sessions.set(id, session);
    return session;
  }

  /** Returns the session with this cookie and this key; null when either is wrong. */
  withBoth(cookie: string | undefined, key: string | undefined, nowMs: number): Session | null {
    const session = this.withCookie(cookie, nowMs);
    if (session === null || key === undefined) return null;
    return timingSafeEqual(session.keyHash, hash(key)) ? session : null;
  }
}
