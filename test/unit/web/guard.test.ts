import { expect, test } from 'vitest';
import { refusalOf } from '../../../main/web/guard.ts';

const head = (method: string, url: string, headers: Readonly<Record<string, string>>) => ({
  method,
  url,
  rawHeaders: Object.entries(headers).flat(),
});

const page = { Host: '127.0.0.1:28733' };
const ask = { ...page, Origin: 'http://127.0.0.1:28733', 'Content-Type': 'application/json' };

test('the page and its questions go through, by every name of this machine and through another port', () => {
  expect(refusalOf(head('GET', '/', page))).toBeNull();
  expect(refusalOf(head('GET', '/assets/a.js', { Host: 'localhost:9000' }))).toBeNull();
  expect(refusalOf(head('GET', '/', { Host: '[::1]:28733' }))).toBeNull();
  expect(refusalOf(head('POST', '/api/events', ask))).toBeNull();
  expect(refusalOf(head('POST', '/api/events', { ...ask, 'Sec-Fetch-Site': 'same-origin' }))).toBeNull();
});

test.for([
  'curfew.example',
  'evil.example:28733',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  '127.0.0.1@evil.example',
  '0.0.0.0:28733',
  '127.1',
  '2130706433',
  '[::ffff:127.0.0.1]',
  '[::]',
  'LOCALHOST',
  '',
  ' localhost',
  'localhost:123456',
])('the name %j is not this machine (DNS rebinding)', (Host) => {
  expect(refusalOf(head('GET', '/', { Host }))?.status).toBe(403);
});

test('two Host headers, or none, are refused', () => {
  expect(
    refusalOf({ method: 'GET', url: '/', rawHeaders: ['Host', 'localhost', 'host', 'evil.example'] })?.status,
  ).toBe(403);
  expect(refusalOf({ method: 'GET', url: '/', rawHeaders: [] })?.status).toBe(403);
});

test.for([
  'http://evil.example',
  'https://127.0.0.1:28733',
  'http://127.0.0.1:3000',
  'http://localhost:28733',
  'null',
  'file://',
  '',
])('a question from the origin %j is refused', (Origin) => {
  expect(refusalOf(head('POST', '/api/events', { ...ask, Origin }))?.status).toBe(403);
});

test('a question without an origin, or with two, is refused', () => {
  expect(refusalOf(head('POST', '/api/events', { ...page, 'Content-Type': 'application/json' }))?.status).toBe(403);
  expect(
    refusalOf({
      method: 'POST',
      url: '/api/events',
      rawHeaders: [...Object.entries(ask).flat(), 'Origin', 'http://evil.example'],
    })?.status,
  ).toBe(403);
});

test('other sites may open the page, but embed nothing of it and ask nothing', () => {
  const opened = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  expect(refusalOf(head('GET', '/', { ...page, ...opened }))).toBeNull();
  for (const destination of ['iframe', 'script', 'image', 'empty', 'style']) {
    expect(refusalOf(head('GET', '/assets/a.js', { ...page, ...opened, 'Sec-Fetch-Dest': destination }))?.status).toBe(
      403,
    );
  }
  for (const site of ['cross-site', 'same-site', 'none']) {
    expect(refusalOf(head('POST', '/api/events', { ...ask, 'Sec-Fetch-Site': site }))?.status).toBe(403);
  }
});

test.for(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'CONNECT', 'QUERY', 'get', 'POST ', ''])(
  'the method %j is refused',
  (method) => {
    expect(refusalOf(head(method, '/', ask))?.status).toBe(405);
  },
);

test.for(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '', 'application/jsonp'])(
  'a body of type %j is refused: a form could send it',
  (type) => {
    expect(refusalOf(head('POST', '/api/events', { ...ask, 'Content-Type': type }))?.status).toBe(415);
  },
);

test('a compressed body and a long address are refused', () => {
  expect(refusalOf(head('POST', '/api/events', { ...ask, 'Content-Encoding': 'gzip' }))?.status).toBe(415);
  expect(refusalOf(head('GET', `/${'a'.repeat(2000)}`, page))?.status).toBe(414);
  expect(refusalOf(head('GET', 'http://127.0.0.1/', page))?.status).toBe(400);
});
