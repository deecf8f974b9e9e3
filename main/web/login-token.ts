import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

// A token is minted and checked from a key alone, so that a second `curfew web`, which reads the
// key from a file of the same user, can print an address of the running one without asking it. The
// server has no route that hands out tokens.

const expiryBytes = 6;
const nonceBytes = 16;
const macBytes = 32;

/** Time for walking from a terminal to a browser; ms. A later user prints another address. */
export const tokenLifetimeMs = 10 * 60_000;

/** The form of a token; other texts are rejected without further work. */
const shape = /^[A-Za-z0-9_-]{72}$/u;

const macOf = (key: Buffer, payload: Buffer): Buffer => createHmac('sha256', key).update(payload).digest();

/** Returns a key for tokens: 256 random bits. */
export const newTokenKey = (): Buffer => randomBytes(32);

/**
 * Returns a login token, which the printed address carries. It signs one browser in, once, within
 * `tokenLifetimeMs`.
 * @param nowMs wall clock, milliseconds
 */
export const mintLoginToken = (key: Buffer, nowMs: number): string => {
  const expiry = Buffer.alloc(expiryBytes);
  expiry.writeUIntBE(nowMs + tokenLifetimeMs, 0, expiryBytes);
  const payload = Buffer.concat([expiry, randomBytes(nonceBytes)]);
  return Buffer.concat([payload, macOf(key, payload)]).toString('base64url');
};

/** Redeems login tokens, each once. Its answer does not depend on what is wrong with a token. */
export class LoginTokens {
  readonly #key: Buffer;
  /** When each used token expires and can be forgotten, in ms. */
  readonly #used = new Map<string, number>();

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Returns whether this token signs in; false from then on. Compares in constant time. */
  redeem(token: string, nowMs: number): boolean {
    for (const [used, expiresAtMs] of this.#used) if (expiresAtMs <= nowMs) this.#used.delete(used);
    if (!shape.test(token)) return false;
    const bytes = Buffer.from(token, 'base64url');
    const payload = bytes.subarray(0, bytes.length - macBytes);
    const genuine = timingSafeEqual(bytes.subarray(payload.length), macOf(this.#key, payload));
    const expiresAtMs = payload.readUIntBE(0, expiryBytes);
    const nonce = payload.toString('hex');
    if (!genuine || expiresAtMs <= nowMs || this.#used.has(nonce)) return false;
    this.#used.set(nonce, expiresAtMs);
    return true;
  }
}
