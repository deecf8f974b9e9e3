/** The one origin of windows. */
export const appScheme = 'app';
const appHost = 'curfew';
/** The page; the view follows after `#`. */
export const appPage = `${appScheme}://${appHost}/index.html`;

/** Returns whether a page is ours: scheme and host are compared, never a prefix of the text. */
export const isOwnUrl = (url: string): boolean => {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol === `${appScheme}:` && parsed.host === appHost;
};

/**
 * What a page may load: its own scripts, styles and pictures. No inline script or style, no eval,
 * no frame, no form, no connection; questions use the bridge. Point 7 of
 * https://www.electronjs.org/docs/latest/tutorial/security.
 */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Headers of every response to a page. */
export const responseHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), clipboard-read=()',
  // The files come from the app itself, and a newer app has newer ones.
  'Cache-Control': 'no-store',
};
