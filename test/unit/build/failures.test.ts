import { expect, test } from 'vitest';
import { type Failure, failuresIn, linesOfFailure, onlyTest, toTryAlone } from '../../../build/scripts/failures.ts';

const failed = (more: Partial<Failure> = {}): { readonly failure: Failure } => ({
  failure: {
    file: 'test/os/found/a.test.ts',
    name: 'a ends',
    messages: ['AssertionError: expected 1 to be 2'],
    ...more,
  },
});

test('what failed is read from a report, a file that could not be loaded too', () => {
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

test('what happens between processes is tried alone; logic, a whole file, and the safety of innocents never', () => {
  const tried = (more: Partial<Failure>): number => toTryAlone([failed(more)]).length;
  expect(tried({})).toBe(1);
  expect(tried({ file: 'test/ui/popover.test.ts' })).toBe(1);
  expect(tried({ file: 'test/unit/judge/a.test.ts' })).toBe(0);
  expect(tried({ name: null })).toBe(0);
  expect(tried({ file: 'test/safety/worlds.test.ts' })).toBe(0);
  expect(tried({ file: 'test/os/spared/recycled.test.ts' })).toBe(0);
  expect(tried({ messages: ['AssertionError: touched: the diary of vim: expected 2 to be 1'] })).toBe(0);
  expect(tried({ messages: ['AssertionError: expected false to be true // Object.is equality'] })).toBe(0);
});

test('many failures are no accident', () => {
  expect(toTryAlone([failed(), failed(), failed()])).toHaveLength(3);
  expect(toTryAlone([failed(), failed(), failed(), failed({ file: 'test/unit/a.test.ts' })])).toEqual([]);
});

test('it is told with its file, its name and the first lines of why, none of them endless', () => {
  const lines = linesOfFailure(failed({ messages: [`${'x'.repeat(900)}\n${'y\n'.repeat(90)}`] }).failure);
  expect(lines[0]).toBe('FAILED test/os/found/a.test.ts > a ends');
  expect(lines[1]).toBe(`   ${'x'.repeat(300)}`);
  expect(lines).toHaveLength(17);
});

test('the pattern of a test fits its name as vitest compares it, and not the names of others', () => {
  const pattern = new RegExp(onlyTest('the popover (page) ends a job: 1 + 1'), 'u');
  expect(pattern.test('the popover (page) > ends a job: 1 + 1')).toBe(true);
  expect(pattern.test('the popover (page) ends a job: 1 + 1')).toBe(true);
  expect(pattern.test('the popover (page) > ends a job: 1 + 1 twice')).toBe(false);
});
