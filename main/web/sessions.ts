import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { TokenBucket } from './token-bucket.ts';

/** A browser that is signed in. */
export class Session {
  readonly keyHash: Buffer;
  /** How often it may ask. */
  readonly questions: TokenBucket;
  #seenAtMs: number;
  #listening = 0;

  constructor(keyHash: Buffer, nowMs: number) {
    this.keyHash = keyHash;
    this.questions = new TokenBucket(burst, perSecond, nowMs);
    this.#seenAtMs = nowMs;
  }

  /** It has asked for something. Wall clock, milliseconds; one that was set back takes nothing away. */
  seen(nowMs: number): void {
    this.#seenAtMs = Math.max(this.#seenAtMs, nowMs);
  }

  /** A page of it listens from now on; call what comes back, with the wall clock in milliseconds, when it has hung up. */
  listens(): (nowMs: number) => void {
    this.#listening += 1;
    return (nowMs) => {
      this.#listening -= 1;
      this.seen(nowMs);
    };
  }

  /** True when it was left lying. */
  isOver(nowMs: number): boolean {
    return this.#listening === 0 && nowMs - this.#seenAtMs > unusedMs;
  }
}

/** What a browser gets once and shows from then on. */
export interface Credentials {
  /** Goes into an HttpOnly cookie, out of reach of any script. */
  readonly cookie: string;
  /**
   * Kept by the page in the storage of its origin. Browsers send a cookie of 127.0.0.1 to every port of it (RFC 6265, 8.5: cookies do
   * not provide isolation by port), so whoever serves anything on this machine may see the cookie, but never this.
   */
  readonly key: string;
}

/** More browsers than that aren't one person's; the one that was silent longest is signed out. */
const maxSessions = 64;

/** A browser that asked nothing for so long is signed out: long enough for a holiday's weekend, short enough for a forgotten machine. Milliseconds. */
const unusedMs = 7 * 24 * 3_600_000;

/** A page asks a few things a second; a person who types in a preview a few more. */
const burst = 300;
const perSecond = 60;

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Who is signed in. Kept in memory alone: whatever was stolen while no server ran is worth nothing to the next one. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();

  /** Signs a browser in. */
  open(nowMs: number): Credentials {
    const credentials = { cookie: randomBytes(32).toString('base64url'), key: randomBytes(32).toString('base64url') };
    const id = hash(credentials.cookie).toString('hex');
    this.#sessions.set(id, new Session(hash(credentials.key), nowMs));
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > maxSessions && oldest !== undefined) this.#sessions.delete(oldest);
    return credentials;
  }

  /** The session with this cookie; null when there is none. Found by its hash, so that time tells nothing of the secret. */
  withCookie(cookie: string | undefined, nowMs: number): Session | null {
    if (cookie === undefined) return null;
    const id = hash(cookie).toString('hex');
    const session = this.#sessions.get(id);
    if (session === undefined) return null;
    this.#sessions.delete(id);
    if (session.isOver(nowMs)) return null;
    session.seen(nowMs);
    this.#sessions.set(id, session);
    return session;
  }

  /** The session with this cookie and this key; null when either is wrong. */
  withBoth(cookie: string | undefined, key: string | undefined, nowMs: number): Session | null {
    const session = this.withCookie(cookie, nowMs);
    if (session === null || key === undefined) return null;
    return timingSafeEqual(session.keyHash, hash(key)) ? session : null;
  }
}
