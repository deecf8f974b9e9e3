import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { withoutFolder } from '../../../app/format/short-command.ts';
import { listedCommand } from '../../../app/text/job.ts';
import { outcomeOption } from '../../../main/cli/common/arguments.ts';
import { columnGap, fitMiddle, layOut, tableCells, wrap, wrapWords } from '../../../main/cli/common/table.ts';

const columns = [
  { title: 'STATE', cells: ['left over', 'kept'], max: 12, leaves: null },
  { title: 'AGE', cells: ['12 min', '4 h 3 min'], max: 10, leaves: 2 },
  { title: 'PROJECT', cells: ['a-very-long-name-of-a-project'], max: 14, leaves: 1 },
];

const line = (width: number): string =>
  tableCells(['left over', '12 min', 'shop'], 'x'.repeat(300), layOut(columns, width, 20)).join(columnGap);

test('a table uses the whole width at any width, and its least wanted columns leave first', () => {
  for (const width of [30, 40, 60, 80, 160]) expect(stringWidth(line(width))).toBe(width);
  expect(line(160)).toContain('shop');
  expect(line(50)).toContain('12 min');
  expect(line(50)).not.toContain('shop');
  expect(line(40)).not.toContain('12 min');
  expect(line(40)).toContain('left over');
});

test('wrapped text loses nothing: a path longer than a line goes over several', () => {
  const path = `/home/me/${'folder-名/'.repeat(12)}output.log`;
  const lines = wrap(`output ${path} (3 MB)`, 40);
  expect(lines.join('').replaceAll(' ', '')).toBe(`output${path}(3MB)`);
  for (const one of lines) expect(stringWidth(one)).toBeLessThanOrEqual(40);
});

test('a path is a line of its own where it may not be broken', () => {
  const path = `/home/me/${'folder/'.repeat(12)}output.log`;
  expect(wrapWords(`it writes to ${path} and stays`, 40)).toEqual(['it writes to', path, 'and stays']);
});

test('of commands that begin alike the cut shows the beginning and the end', () => {
  const one = 'python3.11 /home/me/work/a-long-name-of-a-project/serve.py --port 3001';
  expect(fitMiddle(one, 40)).toBe('python3.11 /home/me…serve.py --port 3001');
  expect(fitMiddle('npm test', 40)).toBe('npm test');
  for (const width of [1, 2, 3, 7, 20])
    expect(stringWidth(fitMiddle('終端'.repeat(30), width))).toBeLessThanOrEqual(width);
});

test.for<readonly [string, string]>([
  ['/root/.pyenv/versions/3.11.7/bin/python3 -m http.server', 'python3 -m http.server'],
  ['/home/me/shop/node_modules/.bin/vite --port 1', 'vite --port 1'],
  ['/usr/sbin/sshd', 'sshd'],
  // Where it is says which one it is.
  ['/home/me/shop/build/server 1', '/home/me/shop/build/server 1'],
  ['bin/dev', 'bin/dev'],
  ['/usr/bin/', '/usr/bin/'],
  ['sh -c "/usr/bin/make"', 'sh -c "/usr/bin/make"'],
])('a list shows %j as %j', ([command, listed]) => {
  expect(withoutFolder(command)).toBe(listed);
  expect(listedCommand({ name: 'web', command })).toBe(`web: ${listed}`);
});

test('an outcome is asked for by its word in the table, or its name in the record', () => {
  expect(outcomeOption('ended')).toBe('reaped');
  expect(outcomeOption('reaped')).toBe('reaped');
  expect(outcomeOption('survived')).toBe('survived');
  expect(() => outcomeOption('gone')).toThrow('there are ended, killed,');
});
