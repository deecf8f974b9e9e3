import { spoken } from '../text/spoken.ts';
import { describe, expect, test } from 'vitest';
import { parseAnswer } from '../../../app/remote/answer.ts';
import { parseHead } from '../../../app/remote/head.ts';
import { problemSaid } from '../../../app/remote/host-problem.ts';
import { sayHostProblem } from '../../../app/text/host-problem.ts';
import { isSameRelease } from '../../../app/remote/release.ts';

const token = '0123456789abcdef0123456789abcdef';
const whole = (body: string): string => `${token} begin 1\0${body}${token} end\0`;

describe('an answer', () => {
  test('is taken apart into its parts, whatever a login shell printed before and after it', () => {
    const answer = parseAnswer(`Welcome!\n${whole('#head\0a=1\0#links\0@/proc/1/exe\0#head\0')}bye`, token);
    // A link may be called like a part: it is one only in its own place, so this answer has two
    // heads.
    expect(answer).toEqual({
      ok: false,
      problem: { key: 'its answer has two parts called {name}', figures: { name: 'head' } },
    });
    expect(parseAnswer(`Welcome!\n${whole('#head\0a=1\0#links\0')}bye`, token)).toEqual({
      ok: true,
      whole: true,
      sections: new Map([
        ['head', ['a=1']],
        ['links', []],
      ]),
    });
  });

  test('that breaks off is not whole, and its last record does not count', () => {
    expect(parseAnswer(`${token} begin 1\0#signals\x0041 sent\x0042 se`, token)).toEqual({
      ok: true,
      whole: false,
      sections: new Map([['signals', ['41 sent']]]),
    });
  });

  test('of more parts than Curfew reads is refused', () => {
    const answer = parseAnswer(whole(`#head\0${'\0'.repeat(2_000_001)}`), token);
    expect(answer).toEqual({
      ok: false,
      problem: { key: 'its answer has more parts than Curfew reads', figures: {} },
    });
  });

  test.each([
    ['nothing', ''],
    ['another token', whole('').replaceAll('0', 'f')],
    ['another version', `${token} begin 2\0${token} end\0`],
    ['records before the first part', whole('x\0')],
  ])('%s is refused', (_, text) => {
    expect(parseAnswer(text, token).ok).toBe(false);
  });
});

const head = {
  way: 'procfs',
  system: 'Linux',
  machine: 'x86_64',
  boot: 'f17f0f2a-e33a-4eb3-9a0f-d6371f24a394',
  namespace: '4026531836',
  uid: '1000',
  self: '4711',
  ticks: '100',
  page: '4096',
  home: '/home/me',
  id: '3d1219c7c4c5404aaa1f6d2a48adfda4',
  time: '1763690700',
  awake: '793245.255513',
  curfew: '',
};
const records = (fields: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(fields).map(([name, value]) => `${name}=${value}`);

describe('what a machine says of itself', () => {
  test('is read', () => {
    expect(parseHead(records(head))).toEqual({
      ...head,
      awake: 793_245.255513,
      uid: 1000,
      self: 4711,
      ticks: 100,
      page: 4096,
      time: 1_763_690_700_000,
    });
  });

  test.each([
    ['a negative user', { uid: '-1' }],
    ['a user that is none', { uid: '99999999999' }],
    ['a pid that no kernel gives', { self: '4194305' }],
    ['no ticks', { ticks: '0' }],
    ['a boot that is none', { boot: '../../x' }],
    ['no boot', { boot: '' }],
    ['a home that is no path', { home: 'home' }],
    ['a namespace that is none', { namespace: 'pid:[1]' }],
  ])('%s is refused', (_, change) => {
    expect(parseHead(records({ ...head, ...change }))).toBeNull();
  });

  test('twice is refused, and so is a part of it', () => {
    expect(parseHead([...records(head), 'uid=0'])).toBeNull();
    expect(parseHead(records(head).slice(1))).toBeNull();
  });
});

describe('what ssh says', () => {
  test.each([
    ['@@@@\n@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.\n', 'changed-key'],
    ['Host key verification failed.\r\n', 'unknown-key'],
    ['me@web1: Permission denied (publickey,password).\r\n', 'denied'],
    ['ssh: Could not resolve hostname web1: Name or service not known\r\n', 'unknown-name'],
    ['ssh: connect to host 127.0.0.1 port 2: Connection refused\r\n', 'unreachable'],
    ['kex_exchange_identification: Connection closed by remote host\r\n', 'unreachable'],
    ['Connection timed out during banner exchange\r\n', 'unreachable'],
    ['Connection to 127.0.0.1 closed by remote host.\r\n', 'broken'],
    ['client_loop: send disconnect: Broken pipe\r\n', 'broken'],
    ['ssh_dispatch_run_fatal: Connection to 127.0.0.1 port 2222: Broken pipe\r\n', 'broken'],
    ['mux_client_request_session: read from master failed: Broken pipe\r\n', 'broken'],
    ['Bad owner or permissions on /home/me/.ssh/config\r\n', 'other'],
    ['', 'broken'],
  ])('%j', (said, code) => {
    expect(problemSaid(said).code).toBe(code);
  });

  test('is shown without what would move a cursor', () => {
    expect(spoken(sayHostProblem('web1', problemSaid('\u001B[2Jevil\u202E\r\n')))).not.toMatch(/[\p{Cc}\u202E]/u);
  });
});

test.each([
  ['0.1.0', '0.1.7', true],
  ['0.1.0', '0.2.0', false],
  ['1.4.0', '1.9.2', true],
  ['1.4.0', '2.0.0', false],
  ['1.4.0', '1.4.0-beta.1\n', true],
  ['0.1.0', 'curfew 0.1.0', false],
  ['0.1.0', '', false],
])('Curfew %s and %j are of the same release: %s', (own, theirs, same) => {
  expect(isSameRelease(own, theirs)).toBe(same);
});
