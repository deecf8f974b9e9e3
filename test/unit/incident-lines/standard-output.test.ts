import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lineText } from '../../../app/incident-lines/journal-fields.ts';
import { problemLine } from '../../../app/incident-lines/trouble-lines.ts';
import { StandardOutput } from '../../../main/incident-lines/standard-output.ts';

const line = problemLine(
  { version: '0.1.0', hostName: 'build7', userName: null },
  { host: 'local', atMs: 0, problem: 'x'.repeat(900) },
);
const text = `${lineText(line)}\n`;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-lines-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.skipIf(process.platform === 'win32')(
  'a full pipe loses lines at once instead of waiting; a line that went out in part is completed before the next',
  () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      const output = new StandardOutput(fd, {});
      let taken = 0;
      while (output.write(line).sent) taken += 1;
      expect(taken).toBeGreaterThan(10);
      expect(output.write(line)).toEqual({ sent: false, why: 'standard output is full, its reader does not read' });
      let read = '';
      const buffer = Buffer.alloc(1 << 20);
      const drain = (): void => {
        try {
          for (;;) read += buffer.toString('utf8', 0, readSync(fd, buffer));
        } catch {
          // The pipe is empty; what was read is compared below.
        }
      };
      drain();
      expect(output.write(line)).toEqual({ sent: true });
      drain();
      expect(read).toBe(text.repeat(taken + 1));
    } finally {
      closeSync(fd);
    }
  },
);

test('to a file each line is appended; of a stream that systemd names as the journal’s, with its priority', () => {
  const path = join(folder, 'lines');
  const fd = openSync(path, 'a');
  try {
    const { dev, ino } = statSync(path);
    expect(new StandardOutput(fd, { JOURNAL_STREAM: '1:2' }).write(line)).toEqual({ sent: true });
    expect(new StandardOutput(fd, { JOURNAL_STREAM: `${dev}:${ino}` }).write(line)).toEqual({ sent: true });
  } finally {
    closeSync(fd);
  }
  expect(readFileSync(path, 'utf8')).toBe(`${text}<3>${text}`);
});

test('a descriptor that can not be written is told, and nothing throws', () => {
  const path = join(folder, 'read-only');
  writeSync(openSync(path, 'w'), '');
  const fd = openSync(path, 'r');
  try {
    expect(new StandardOutput(fd, {}).write(line)).toEqual({
      sent: false,
      why: "standard output can't be written: EBADF: bad file descriptor, write",
    });
  } finally {
    closeSync(fd);
  }
});
