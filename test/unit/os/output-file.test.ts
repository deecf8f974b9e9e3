import { linkSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { outputTail } from '../../../main/output/output-file.ts';

test('an output that is a second name of another file is not read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-output-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [secret, output] = [join(folder, 'secret'), join(folder, 'b1.output')];
  const uid = process.getuid?.() ?? 0;
  writeFileSync(output, 'done\n');
  expect(outputTail(output, uid)).toBe('done');
  rmSync(output);
  writeFileSync(secret, 'of another place\n');
  linkSync(secret, output);
  expect(outputTail(output, uid)).toBeNull();
});
