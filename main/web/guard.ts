import type { Form } from '../../app/text/form.ts';

/** The part of a request that is checked before any other code reads it. */
export interface RequestHead {
  readonly method: string;
  /** The target as sent. */
  readonly url: string;
  /** Names and values in turn, as sent. */
  readonly rawHeaders: readonly string[];
}

/** Why a request is refused; `text` explains it for debugging. */
export interface Refusal {
  readonly status: 400 | 403 | 405 | 414 | 415;
  readonly text: Form;
}

/** This machine's names in a browser; any port, as `ssh -L 9000:127.0.0.1:28733` may forward. */
const ownNames = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/u;

/** Longer than any address of the page. */
const maxUrlLength = 1024;

const all = (head: RequestHead, name: string): string[] => {
  const values: string[] = [];
  for (let index = 0; index + 1 < head.rawHeaders.length; index += 2) {
    if (head.rawHeaders[index]?.toLowerCase() === name) values.push(head.rawHeaders[index + 1] ?? '');
  }
  return values;
};

/** Returns whether another site's page sent this. Other ports are other programs, so sites. */
const crossSite = (head: RequestHead, host: string): boolean => {
  const origins = all(head, 'origin');
  const asks = head.method === 'POST';
  // Browsers send Origin with every POST: https://fetch.spec.whatwg.org/#origin-header
  if (origins.length > 1 || (asks && origins.length === 0)) return true;
  if (origins.some((origin) => origin !== `http://${host}`)) return true;
  const [site, ...more] = all(head, 'sec-fetch-site');
  if (site === undefined) return false;
  if (more.length > 0) return true;
  if (site === 'same-origin') return false;
  if (asks) return true;
  // Typed, or clicked in another program or page: only the page itself is opened that way, never a
  // part of it.
  const [mode] = all(head, 'sec-fetch-mode');
  const [destination] = all(head, 'sec-fetch-dest');
  return !(site === 'none' || (mode === 'navigate' && destination === 'document'));
};

/**
 * Returns why a request is refused, or null. Pure. Checks Host against DNS rebinding (a foreign
 * name that resolves to this machine), Origin and Sec-Fetch-Site against other pages
 * (https://www.w3.org/TR/fetch-metadata/), and the type of the body against forms.
 */
export const refusalOf = (head: RequestHead): Refusal | null => {
  const [host, ...otherHosts] = all(head, 'host');
  if (host === undefined || otherHosts.length > 0 || !ownNames.test(host))
    return { status: 403, text: 'This is not a name of this machine.' };
  if (!head.url.startsWith('/')) return { status: 400, text: 'Not an address of this server.' };
  if (head.url.length > maxUrlLength) return { status: 414, text: 'The address is too long.' };
  if (head.method !== 'GET' && head.method !== 'POST') return { status: 405, text: 'GET and POST only.' };
  if (crossSite(head, host)) return { status: 403, text: 'Only Curfew’s own page may ask this.' };
  if (head.method === 'POST') {
    const [type, ...otherTypes] = all(head, 'content-type');
    if (otherTypes.length > 0 || !/^application\/json(?:;\s*charset=utf-8)?$/iu.test(type ?? ''))
      return { status: 415, text: 'Questions are JSON.' };
    if (all(head, 'content-encoding').length > 0) return { status: 415, text: 'Questions are not compressed.' };
  }
  return null;
};
