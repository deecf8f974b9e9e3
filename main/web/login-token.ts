import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

// A pass is made and checked from a key alone, so that a second `curfew web`, which reads the key from a file of the same person, can
// print an address of the running one without asking it: there is no place in the server where loginTokens are handed out.

const expiryBytes = 6;
const nonceBytes = 16;
const macBytes = 32;

/** A person walks from a terminal to a browser; whoever comes later asks for another. Milliseconds. */
export const tokenLifetimeMs = 10 * 60_000;

/** Whether a text could be a pass at all, so that nothing else is worked on. */
const shape = /^[A-Za-z0-9_-]{72}$/u;

const macOf = (key: Buffer, payload: Buffer): Buffer => createHmac('sha256', key).update(payload).digest();

/** A key that loginTokens are made from: 256 random bits. */
export const newTokenKey = (): Buffer => randomBytes(32);

/**
 * A pass: what the printed address carries. Signs one browser in, once, within `tokenLifetimeMs`.
 * @param nowMs wall clock, milliseconds
 */
export const mintLoginToken = (key: Buffer, nowMs: number): string => {
  const expiry = Buffer.alloc(expiryBytes);
  expiry.writeUIntBE(nowMs + tokenLifetimeMs, 0, expiryBytes);
  const payload = Buffer.concat([expiry, randomBytes(nonceBytes)]);
  return Buffer.concat([payload, macOf(key, payload)]).toString('base64url');
};

/** Takes loginTokens, each once. What it says of a wrong one doesn't depend on what is wrong with it. */
export class LoginTokens {
  readonly #key: Buffer;
  /** When each used pass expires, so that it can be forgotten then. Milliseconds. */
  readonly #used = new Map<string, number>();

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Whether this pass lets in; false from then on. Compared in constant time. */
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
