/**
 * Errors of got, with which electron-builder and @electron/get download:
 * https://github.com/sindresorhus/got/blob/main/documentation/8-errors.md
 */
const names = new Set(['RequestError', 'ReadError', 'HTTPError', 'TimeoutError', 'MaxRedirectsError']);

/** Error codes of a missing or interrupted network. */
const codes = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CERT_HAS_EXPIRED',
]);

/** Returns why a download failed, in the error's own words; null for another failure. */
export const downloadFailure = (error: unknown): string | null => {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (names.has(cause.name) || codes.has(code)) return cause.message;
  }
  return null;
};
