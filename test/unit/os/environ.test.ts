import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { environBytes, environmentDigest, markerNames, markersIn } from '../../../main/os/processes/environ.ts';

const names = markerNames(['CLAUDECODE', 'CLAUDE_PID', 'AI_AGENT', 'AGENT', 'CURFEW_KEEP']);

const read = (text: string, cut = false): Readonly<Record<string, string>> | null => {
  const bytes = Buffer.from(text);
  return markersIn(bytes, 0, bytes.length, names, cut);
};

test('only names of the list are read', () => {
  const text = 'ANTHROPIC_API_KEY=sk-ant-secret\0CLAUDECODE=1\0PATH=/bin\0CLAUDE_PID=34\0AI_AGENT_TOKEN=x\0';
  expect(read(text)).toEqual({ CLAUDECODE: '1', CLAUDE_PID: '34' });
});

test.each([
  ['a name inside another entry', 'PS1=CLAUDECODE=1\0XCLAUDECODE=1\0', {}],
  ['a name without a value', 'CLAUDECODE=\0', { CLAUDECODE: '' }],
  ['odd names beside it', 'BASH_FUNC_x%%=() { :;}\0npm_package_scripts_a-b:c=d\0AGENT=1\0', { AGENT: '1' }],
  ['a value with equals signs and newlines', 'AGENT=a=b\nc\0', { AGENT: 'a=b\nc' }],
  ['the first of two, as getenv', 'AGENT=first\0AGENT=second\0', { AGENT: 'first' }],
  ['small letters', 'claudecode=1\0', {}],
  ['no NUL at the end', 'AGENT=1', { AGENT: '1' }],
])('%s', (_case, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each([
  ['nothing but NULs: redis, nginx, postgres', '\0'.repeat(300)],
  ['a title of blanks, as older perls leave it', `${' '.repeat(300)}\0`],
  ['a title and NULs behind it', `${'x'.repeat(200)}\0${'\0'.repeat(100)}`],
  ['a title with an equals sign', 'nginx: worker a=b\0'],
  ['the end of a title before entries that are still there', 'rker\0AGENT=1\0PATH=/bin\0'],
  ['a title that ends in the middle of an entry', 'TITLE=x\0/usr/bin:/bin\0AGENT=1\0'],
  ['an entry without a name', '=x\0AGENT=1\0'],
  ['an empty entry', 'AGENT=1\0\0PATH=/bin\0'],
])('an environment that was written over can not be read: %s', (_case, text) => {
  expect(read(text)).toBeNull();
});

test('an environment that was not read to its end is unknown', () => {
  expect(read('AGENT=1\0CLAUDE_PID=471', true)).toBeNull();
});

test('an environment that lost its first bytes to a title is never taken for one without the marks', () => {
  const entry = fc.stringMatching(/^[A-Z_]{1,8}=[a-z/:]{0,12}$/u);
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1 }), fc.nat(), (entries, at) => {
      const text = [...entries, 'CURFEW_KEEP=1'].map((one) => `${one}\0`).join('');
      const over = at % text.length;
      const found = read(`${'x'.repeat(over)}\0${'\0'.repeat(text.length - over - 1)}`);
      expect(found).toBeNull();
    }),
  );
});

test('a value of more than 4 KiB is no marker', () => {
  expect(read(`AGENT=${'x'.repeat(5_000)}\0CLAUDECODE=1\0`)).toEqual({ CLAUDECODE: '1' });
});

test('bytes behind the end are ignored', () => {
  const bytes = Buffer.from('PATH=/bin\0AGENT=1\0');
  expect(markersIn(bytes, 0, 10, names, false)).toEqual({});
});

test('invalid UTF-8 is replaced', () => {
  const bytes = Buffer.concat([Buffer.from('AGENT=a'), Buffer.of(0xff, 0xfe), Buffer.from('b\0')]);
  expect(markersIn(bytes, 0, bytes.length, names, false)).toEqual({ AGENT: 'a\ufffd\ufffdb' });
});

test('for any bytes only listed names are returned and nothing throws', () => {
  const listed = new Set(['CLAUDECODE', 'CLAUDE_PID', 'AI_AGENT', 'AGENT', 'CURFEW_KEEP']);
  const entry = fc.oneof(fc.string(), fc.constantFrom('CLAUDECODE=1', 'AI_AGENT=', 'AGENTS=1', '=AGENT', 'SECRET=1'));
  fc.assert(
    fc.property(fc.array(entry), fc.boolean(), (entries, cut) => {
      for (const name of Object.keys(read(entries.join('\0'), cut) ?? {})) expect(listed.has(name)).toBe(true);
    }),
  );
});

test('the same answer as splitting the whole environment gives', () => {
  const value = fc.string().filter((text) => !text.includes('\0'));
  const entry = fc.tuple(fc.constantFrom('CLAUDECODE', 'CLAUDE_PID', 'AGENT', 'HOME', 'AGENTX'), value);
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const expected: Record<string, string> = {};
      for (const [name, text] of entries) {
        if (['CLAUDECODE', 'CLAUDE_PID', 'AGENT'].includes(name)) expected[name] ??= text;
      }
      expect(read(entries.map(([name, text]) => `${name}=${text}\0`).join(''))).toEqual(expected);
    }),
  );
});

const digest = (text: string): string | null => environmentDigest(Buffer.from(text), Buffer.byteLength(text));

test('a digest of an environment depends on each entry, and not on their order', () => {
  const one = digest('HOME=/home/ada\0TOKEN=work\0');
  expect(one).toMatch(/^[0-9a-f]{64}$/u);
  expect(digest('TOKEN=work\0HOME=/home/ada\0')).toBe(one);
  expect(digest('HOME=/home/ada\0TOKEN=home\0')).not.toBe(one);
  expect(digest('HOME=/home/ada\0')).not.toBe(one);
});

test.each([
  ['empty or not to be read', ''],
  ['cut', 'HOME=/home/ada\0TOKEN=wo'],
  ['longer than what is read', `HOME=${'x'.repeat(environBytes)}\0`],
  ['written over by a title', `worker: idle\0${'\0'.repeat(40)}`],
  ['with a name twice', 'TOKEN=work\0TOKEN=home\0'],
])('an environment that is %s has no digest', (_case, text) => {
  expect(digest(text)).toBeNull();
});
