import { expect, test } from 'vitest';
import { downloadFailure } from '../../../build/package/download-failure.ts';

const named = (name: string, message: string, code?: string): Error =>
  Object.assign(new Error(message), { name }, code === undefined ? {} : { code });

test('a failed download is distinguished from every other failure', () => {
  const missing = named('RequestError', 'getaddrinfo ENOTFOUND github.com', 'ENOTFOUND');
  expect(downloadFailure(missing)).toBe('getaddrinfo ENOTFOUND github.com');
  expect(downloadFailure(new Error('packing failed', { cause: missing }))).toBe('getaddrinfo ENOTFOUND github.com');
  expect(downloadFailure(named('HTTPError', 'Response code 403 (Forbidden)'))).toContain('403');
  expect(downloadFailure(named('Error', 'connect ECONNREFUSED 140.82.121.4:443', 'ECONNREFUSED'))).toContain('140.82');
  expect(downloadFailure(named('Error', 'no such file', 'ENOENT'))).toBeNull();
  expect(downloadFailure(new TypeError('configuration.linux should be an object'))).toBeNull();
  expect(downloadFailure('no error at all')).toBeNull();
});
