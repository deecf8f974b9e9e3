import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { environmentNames } from '../../../app/agents/signatures.ts';
import { parseAnswer } from '../../../app/remote/answer.ts';
import { isHostName } from '../../../app/remote/host-list.ts';
import { RemoteAgentFiles } from '../../../main/remote/answers/agent-files.ts';
import { observationIn } from '../../../main/os/recorded/observation.ts';
import { RemoteSource } from '../../../main/os/recorded/source.ts';
import { ProcessTableUnreadable } from '../../../main/os/processes/source.ts';

const token = '0123456789abcdef0123456789abcdef';
const bytes = fc.string({
  unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});
const pid = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom('1', '2', '77', 'self', '77/../1', '') },
  { weight: 1, arbitrary: fc.constantFrom('0', '-1', '99999999') },
);
const stat = fc.constantFrom(
  '77 (sh) S 1 77 77 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 500 0 0\n',
  '77 (a) R 1 (b) S 1 77 77 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 500 0 0\n',
  '1 (init) S 0 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 1 0 0\n',
  '77 (sh',
  '',
);
const file = fc.constantFrom('stat', 'cmdline', 'environ', 'cgroup', 'io', 'syscall', 'fdinfo/3', 'fd/1', 'x');
const record = fc.oneof(
  bytes,
  fc.tuple(pid, file, fc.oneof(bytes, stat)).map(([each, what, text]) => `/proc/${each}/${what}:${text}`),
  fc.tuple(pid, fc.constantFrom('fd/1', 'cwd', 'exe', 'ns/pid')).map(([each, what]) => `@/proc/${each}/${what}`),
  pid.map((each) => `dr-xr-xr-x 9 1000 1000 0 Nov 21 06:30 /proc/${each}`),
  pid.map((each) => `l-wx------ 1 0 0 64 Nov 21 06:30 /proc/${each}/fd/1 -> /tmp/x`),
  fc.constantFrom('?read /h/.claude/sessions', '/h/.claude/sessions/7.json', '/h/.claude/sessions/7.json:{"pid":7}'),
);
const head =
  'way=procfs\0system=Linux\0machine=x86_64\0boot=btime-1\0namespace=1\0uid=1000\0self=77\0ticks=100\0page=4096\0home=/h\0id=\0time=1\0curfew=\0';
/** Without these everything is refused at once. */
const needed: Readonly<Record<string, readonly string[]>> = {
  processes: ['/proc/77/stat:77 (sh) S 1 77 77 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 500 0 0\n'],
  again: ['/proc/self/stat:78 (grep) R 77 77 77 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 600 0 0\n'],
};
const names = ['owners', 'processes', 'environments', 'readable', 'links', 'locks', 'sockets', 'files', 'again'];
const answered = fc
  .array(fc.array(record, { maxLength: 12 }), { minLength: names.length, maxLength: names.length })
  .map((all) =>
    all.map((records, at) => {
      const name = names[at] ?? '';
      return `#${name}\0${[...records, ...(needed[name] ?? [])].map((one) => `${one}\0`).join('')}`;
    }),
  );
test('any answer of a machine becomes a valid table, or is refused in words', () => {
  let accepted = 0;
  fc.assert(
    fc.property(answered, (sections) => {
      const answer = parseAnswer(`${token} begin 1\0#head\0${head}${sections.join('')}${token} end\0`, token);
      if (!answer.ok) return;
      const observation = observationIn(answer.sections);
      // Refused, in words.
      if (typeof observation === 'string') return;
      const source = new RemoteSource(observation.head, environmentNames);
      try {
        source.take(observation, 0);
      } catch (error) {
        if (error instanceof ProcessTableUnreadable) return;
        throw error;
      }
      accepted += 1;
      const { rows } = source.scan();
      for (const [key, row] of rows) {
        expect(row.pid).toBe(key);
        expect(row.pid).toBeGreaterThan(0);
        expect(Number.isSafeInteger(row.startTicks)).toBe(true);
        expect(Object.keys(source.environment(row) ?? {}).every((name) => environmentNames.has(name))).toBe(true);
      }
      source.facts([...rows.values()]);
      const files = new RemoteAgentFiles(observation.files, ['/h/.claude']);
      // What was not sent is unknown, never absent.
      expect(files.names('/elsewhere/sessions', 10)).toEqual({ state: 'unreadable' });
      expect(files.stamp('/elsewhere/sessions/1.json')).toEqual({ state: 'unreadable' });
    }),
    { numRuns: 500 },
  );
  // Else the test would say nothing about those that are believed.
  expect(accepted).toBeGreaterThan(0);
});

test('any text is an answer or is refused', () => {
  fc.assert(
    fc.property(bytes, bytes, (before, after) => {
      parseAnswer(`${before}${token} begin 1\0${after}`, token);
      parseAnswer(before, token);
    }),
  );
});

test('no name of a host holds what a shell or ssh would take apart', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...Array.from('-a@.:[]% $;|&\'"`\\/\n=%_1')), maxLength: 12 }),
      (name) => {
        if (!isHostName(name)) return;
        expect(name).not.toMatch(/^-|@-|[\s$;|&'"`\\/=]/u);
      },
    ),
  );
});
