import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { processArgumentsIn } from '../../../../main/os/darwin/process-arguments.ts';
import { markerNames } from '../../../../main/os/processes/environ.ts';

const names = markerNames(['CLAUDECODE', 'CLAUDE_PID']);

/** Returns what KERN_PROCARGS2 gives, as adv_cmds/ps/print.c describes it. */
const area = (argv: readonly string[], environment: readonly string[], tail = ''): Buffer => {
  const count = Buffer.alloc(4);
  count.writeInt32LE(argv.length);
  const list = [...argv, ...environment].map((one) => `${one}\0`).join('');
  return Buffer.concat([count, Buffer.from(`/bin/zsh\0\0\0\0\0\0${list}\0${tail}`)]);
};

test('arguments and listed variables, and nothing of what the kernel leaves for the loader', () => {
  const bytes = area(
    ['/bin/zsh', '-c', 'a b'],
    ['SECRET=1', 'CLAUDECODE=1'],
    'executable_path=/bin/zsh\0CLAUDE_PID=7\0',
  );
  expect(processArgumentsIn(bytes, bytes.length, names)).toEqual({
    argv: ['/bin/zsh', '-c', 'a b'],
    environment: { CLAUDECODE: '1' },
  });
});

test('no environment at all is a hidden one', () => {
  const bytes = area(['/bin/sleep', '1'], []);
  expect(processArgumentsIn(bytes, bytes.length, names)).toEqual({ argv: ['/bin/sleep', '1'], environment: null });
});

test('what is cut or garbage gives nothing and never throws', () => {
  const bytes = area(['/bin/zsh', '-c', 'x'], ['CLAUDECODE=1']);
  expect(processArgumentsIn(bytes, 20, names)).toBeNull();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (garbage) => {
      const result = processArgumentsIn(Buffer.from(garbage), garbage.length, names);
      expect(result === null || Array.isArray(result.argv)).toBe(true);
    }),
  );
});
