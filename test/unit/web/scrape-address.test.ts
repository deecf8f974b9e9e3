import { describe, expect, onTestFinished, test } from 'vitest';
import type { ExpositionFormat } from '../../../app/metrics/exposition.ts';
import { openScrapeAddress } from '../../../main/web/scrape-address.ts';
import { PortTaken } from '../../../main/web/listen.ts';
import { sendRaw } from './support/page-server.ts';

const token = 'kR5TnB6m8sZ0cQ2xY4vW7eA9dF1gH3jL';
const bearer = { Authorization: `Bearer ${token}` };

const openmetrics = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

const open = async (text: (format: ExpositionFormat) => string = (format) => `curfew_up{form="${format}"} 1\n`) => {
  const reported: unknown[] = [];
  const address = await openScrapeAddress({ port: 0, token, text, report: (error) => reported.push(error) });
  onTestFinished(() => address.close());
  return { ...address, reported, port: Number(new URL(address.url).port) };
};

const raw = (target: string, headers: readonly string[], method = 'GET'): string =>
  [`${method} ${target} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n');

describe('the scrape address', () => {
  test('gives the numbers to what shows the token, in the form that it asks for', async () => {
    const { url } = await open();
    const asked = async (accept: string): Promise<readonly [string | null, string]> => {
      const response = await fetch(url, { headers: { ...bearer, Accept: accept } });
      return [response.headers.get('content-type'), await response.text()];
    };
    expect(await asked('application/openmetrics-text;version=1.0.0,text/plain;q=0.5')).toEqual([
      openmetrics,
      'curfew_up{form="openmetrics"} 1\n',
    ]);
    expect(await asked('*/*')).toEqual(['text/plain; version=0.0.4; charset=utf-8', 'curfew_up{form="text"} 1\n']);
  });

  test('listens on the loopback addresses only, IPv6 included', async () => {
    const { url, port } = await open();
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect((await fetch(`http://[::1]:${port}/metrics`, { headers: bearer })).status).toBe(200);
    await expect(fetch(`http://127.0.0.2:${port}/metrics`, { headers: bearer })).rejects.toThrow('fetch failed');
  });

  test.each([
    ['no token', {}],
    ['an empty one', { Authorization: 'Bearer ' }],
    ['another one', { Authorization: `Bearer ${token.slice(0, -1)}M` }],
    ['a part of it', { Authorization: `Bearer ${token.slice(0, -1)}` }],
    ['more than it', { Authorization: `Bearer ${token}${token}` }],
    ['it as a password', { Authorization: `Basic ${btoa(`curfew:${token}`)}` }],
    ['it in a cookie', { Cookie: `token=${token}` }],
  ])('says nothing to what shows %s', async (_, headers: Readonly<Record<string, string>>) => {
    const { url } = await open();
    for (const address of [url, `${url}?token=${token}`, new URL('/other', url).href]) {
      const response = await fetch(address, { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="curfew"');
      expect(await response.text()).not.toContain('curfew_up');
    }
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'])('knows no %s', async (method) => {
    const server = await open();
    const said = await sendRaw(
      server,
      raw(
        '/metrics',
        [
          'Host: 127.0.0.1',
          `Origin: http://127.0.0.1`,
          'Content-Type: application/json',
          `Authorization: Bearer ${token}`,
        ],
        method,
      ),
    );
    expect(said).toMatch(/^HTTP\/1\.1 405 /u);
    expect(said).not.toContain('curfew_up');
  });

  test.each([
    ['a name that was rebound to this machine', '/metrics', ['Host: evil.example:9000'], 403],
    ['no name', '/metrics', ['Host:'], 403],
    ['a page of another site', '/metrics', ['Host: 127.0.0.1', 'Origin: http://evil.example'], 403],
    ['another site, as the browser says', '/metrics', ['Host: 127.0.0.1', 'Sec-Fetch-Site: cross-site'], 403],
    ['a proxy’s target', 'http://127.0.0.1/metrics', ['Host: 127.0.0.1'], 400],
    ['another path', '/', ['Host: 127.0.0.1'], 404],
    ['a path above', '/metrics/../metrics', ['Host: 127.0.0.1'], 404],
    ['too long a target', `/metrics?${'x'.repeat(2000)}`, ['Host: 127.0.0.1'], 414],
  ] as const)('refuses %s, with the right token too', async (_, target, headers, status) => {
    const server = await open();
    const said = await sendRaw(server, raw(target, [...headers, `Authorization: Bearer ${token}`]));
    expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `, 'u'));
    expect(said).not.toContain('curfew_up');
  });

  test('answers so many at once and no more; what shows no token can’t use that up', async () => {
    const { url } = await open();
    await Promise.all(Array.from({ length: 60 }, () => fetch(url)));
    expect((await fetch(url, { headers: bearer })).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 60 }, () => fetch(url, { headers: bearer })));
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 429]));
  });

  test('says that it failed, tells the log why, and goes on', async () => {
    let broken = true;
    const { url, reported } = await open(() => {
      if (broken) throw new Error('no numbers');
      return '';
    });
    const failed = await fetch(url, { headers: bearer });
    expect(failed.status).toBe(500);
    expect(await failed.text()).not.toContain('no numbers');
    expect(reported).toEqual([new Error('no numbers')]);
    broken = false;
    expect((await fetch(url, { headers: bearer })).status).toBe(200);
  });

  test('a port that is taken is named with the option that chooses another', async () => {
    const { port } = await open();
    const taken = openScrapeAddress({ port, token, text: () => '', report: () => undefined });
    await expect(taken).rejects.toThrow(PortTaken);
    await expect(taken).rejects.toThrow(
      `port ${port} is taken by another program; name another one with --metrics-port`,
    );
  });
});
