import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { markerNames, markersIn } from '../../../main/os/environ.ts';

const names = markerNames(['CLAUDECODE', 'CLAUDE_PID', 'AI_AGENT', 'AGENT', 'CURFEW_KEEP']);

const read = (text: string, cut = false): Readonly<Record<string, string>> => {
  const bytes = Buffer.from(text);
  return markersIn(bytes, 0, bytes.length, names, cut);
};

test('only names of the list are read', () => {
  const text = 'ANTHROPIC_API_KEY=sk-ant-secret\0CLAUDECODE=1\0PATH=/bin\0CLAUDE_PID=34\0AI_AGENT_TOKEN=x\0';
  expect(read(text)).toEqual({ CLAUDECODE: '1', CLAUDE_PID: '34' });
});

test.each([
  ['a name inside another entry', 'PS1=CLAUDECODE=1\0XCLAUDECODE=1\0', {}],
  ['a name without a value', 'CLAUDECODE\0CLAUDECODE=\0', { CLAUDECODE: '' }],
  ['a value with equals signs and newlines', 'AGENT=a=b\nc\0', { AGENT: 'a=b\nc' }],
  ['the first of two, as getenv', 'AGENT=first\0AGENT=second\0', { AGENT: 'first' }],
  ['small letters', 'claudecode=1\0', {}],
  ['empty entries', '\0\0AGENT=1\0\0', { AGENT: '1' }],
  ['no NUL at the end', 'AGENT=1', { AGENT: '1' }],
])('%s', (_case, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test('an entry that was cut off is left out', () => {
  expect(read('AGENT=1\0CLAUDE_PID=471', true)).toEqual({ AGENT: '1' });
});

test('a value of more than 4 KiB is no marker', () => {
  expect(read(`AGENT=${'x'.repeat(5_000)}\0CLAUDECODE=1\0`)).toEqual({ CLAUDECODE: '1' });
});

test('bytes behind the end are not looked at', () => {
  const bytes = Buffer.from('PATH=/bin\0AGENT=1\0');
  expect(markersIn(bytes, 0, 10, names, false)).toEqual({});
});

test('invalid UTF-8 is replaced', () => {
  const bytes = Buffer.concat([Buffer.from('AGENT=a'), Buffer.of(0xff, 0xfe), Buffer.from('b\0')]);
  expect(markersIn(bytes, 0, bytes.length, names, false)).toEqual({ AGENT: 'a\ufffd\ufffdb' });
});

test('whatever the bytes, only listed names come out and nothing throws', () => {
  const listed = new Set(['CLAUDECODE', 'CLAUDE_PID', 'AI_AGENT', 'AGENT', 'CURFEW_KEEP']);
  const entry = fc.oneof(fc.string(), fc.constantFrom('CLAUDECODE=1', 'AI_AGENT=', 'AGENTS=1', '=AGENT', 'SECRET=1'));
  fc.assert(
    fc.property(fc.array(entry), fc.boolean(), (entries, cut) => {
      for (const name of Object.keys(read(entries.join('\0'), cut))) expect(listed.has(name)).toBe(true);
    }),
  );
});

test('the same answer as splitting the whole environment gives', () => {
  const value = fc.string().filter((text) => !text.includes('\0'));
  const entry = fc.tuple(fc.constantFrom('CLAUDECODE', 'CLAUDE_PID', 'AGENT', 'HOME', 'AGENTX', ''), value);
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
