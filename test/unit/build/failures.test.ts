import { expect, test } from 'vitest';
import { failuresIn, linesOfFailure } from '../../../build/scripts/failures.ts';

test('failures are read from a report, including a file that could not be loaded', () => {
  const one = { fullName: 'a holds', status: 'passed', failureMessages: [] };
  const other = { fullName: 'b holds', status: 'failed', failureMessages: ['Error: no'] };
  const report = {
    numPassedTests: 1,
    numFailedTests: 1,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [
      { name: '/root/test/unit/a.test.ts', status: 'failed', message: '', assertionResults: [one, other] },
      { name: '/root/test/unit/b.test.ts', status: 'failed', message: 'SyntaxError: x', assertionResults: [] },
      { name: '/root/test/unit/c.test.ts', status: 'passed', message: '', assertionResults: [one] },
    ],
  };
  expect(failuresIn(report, '/root')).toEqual([
    { file: 'test/unit/a.test.ts', name: 'b holds', messages: ['Error: no'] },
    { file: 'test/unit/b.test.ts', name: null, messages: ['SyntaxError: x'] },
  ]);
  expect(failuresIn(null, '/root')).toEqual([]);
});

test('a failure is printed with its file, its name and the first lines of its reason, each cut', () => {
  const lines = linesOfFailure({
    file: 'test/os/found/a.test.ts',
    name: 'a ends',
    messages: [`${'x'.repeat(900)}\n${'y\n'.repeat(90)}`],
  });
  expect(lines[0]).toBe('FAILED test/os/found/a.test.ts > a ends');
  expect(lines[1]).toBe(`   ${'x'.repeat(300)}`);
  expect(lines).toHaveLength(17);
});
