import { expect, test } from 'vitest';
import { reportText } from '../../../app/report/bundle.ts';

test('a report is Markdown with one fenced block for each part', () => {
  const text = reportText(
    [
      { title: 'Versions', text: 'curfew 1.2.3\n' },
      { title: 'Nothing', text: '' },
    ],
    '2026-11-23',
    (part) => part.replace('1.2.3', '…'),
  );
  expect(text).toContain('# Curfew report of 2026-11-23\n');
  expect(text).toContain('## Versions\n\n```text\ncurfew …\n```\n');
  expect(text).toContain('## Nothing\n\n```text\n(nothing)\n```\n');
});

test('a command with backticks does not end its block', () => {
  const text = reportText([{ title: 'A', text: 'echo ```; ## not a title\n````' }], '2026-11-23', (part) => part);
  expect(text).toContain('`````text\necho ```; ## not a title\n````\n`````\n');
});

test('nothing in a report controls a terminal', () => {
  const text = reportText([{ title: 'A', text: 'x\u001B[2J\u009By\u202E' }], '2026-11-23', (part) => part);
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/u);
});
