import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { reportedAnswers } from '../../../build/scripts/mac-report.ts';
import { differencesOf } from '../../darwin/mac-fixture.ts';
import { SimulatedKernel, type Simulated } from '../../darwin/simulated-kernel.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'curfew-mac-fixtures-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the answers of a Mac are taken out of its report, and nothing that was cut', () => {
  const lines = ['ProductName: macOS', '42 17 4 0 0a0b0c0d', '1 9 0 1 ', '7:0 6 2 0 ffee', '42 17 8 0 0a0b', '0 12 ff'];
  expect(reportedAnswers([...lines, ''].join('\n'))).toEqual([
    { pid: 42, fd: null, flavor: 17, bytes: 4, errno: 0, hex: '0a0b0c0d' },
    { pid: 1, fd: null, flavor: 9, bytes: 0, errno: 1, hex: '' },
    { pid: 7, fd: 0, flavor: 6, bytes: 2, errno: 0, hex: 'ffee' },
  ]);
});

/** What build/macos/report.sh makes and asks on a Mac, here of a simulated one. */
const recorded = (kernel: SimulatedKernel): string => {
  const lines = ['ProductName: macOS'];
  const print = (who: string, flavor: number, answer: { readonly bytes: Buffer; readonly errno: number }): void => {
    const { bytes, errno } = answer;
    lines.push(`${who} ${flavor} ${bytes.length} ${errno} ${bytes.toString('hex')}`);
  };
  const info = ({ pid }: Pick<Simulated, 'pid'>, flavor: number): void =>
    print(String(pid), flavor, kernel.call('info', pid, flavor, 0, 4_096));
  const shell = kernel.launch({ argv: ['/bin/bash', 'report.sh'] });
  for (const flavor of [3, 4, 9, 17, 18, 20]) for (const one of [shell, { pid: 1 }]) info(one, flavor);
  const orphan = kernel.start(shell, { argv: ['/bin/sh', '-c', 'sleep 3'] });
  info(orphan, 17);
  kernel.exec(orphan, { argv: ['/bin/sleep', '60'] });
  info(orphan, 17);
  const reader = kernel.start(shell, { argv: ['/bin/sleep', '60'] });
  for (const peer of [332, 0]) {
    reader.opened = [{ fd: 0, kind: 'pipe', handle: 331, peer }];
    print(`${reader.pid}:0`, 6, kernel.call('file', reader.pid, 6, 0, 4_096));
  }
  const target = kernel.start(shell, { argv: ['/bin/sleep', '60'] });
  info(target, 4);
  info(target, 4);
  return lines.join('\n');
};

describe('what a Mac said becomes fixtures by one command', () => {
  const take = (report: string): { readonly status: number | null; readonly text: string } => {
    writeFileSync(join(folder, 'report.txt'), report);
    writeFileSync(join(folder, 'doctor.json'), '{"problems":[]}');
    const script = join(root, 'build/scripts/mac-fixtures.ts');
    const { status } = spawnSync(process.execPath, [script, folder, 'macos-15', folder], { stdio: 'ignore' });
    return { status, text: readFileSync(join(folder, 'macos-15.json'), 'utf8') };
  };

  test('a Mac that is as it is read differs in nothing', () => {
    const { status, text } = take(recorded(new SimulatedKernel()));
    expect(status).toBe(0);
    expect(differencesOf(text)).toEqual([]);
  });

  test.each([
    ['a struct of another size', 'info 17', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(8)])],
    ['coalitions elsewhere', 'info 20', (bytes: Buffer) => Buffer.alloc(bytes.length, 1)],
    ['pipes that end elsewhere', 'file 6', (bytes: Buffer) => Buffer.alloc(bytes.length, 1)],
    ['a path elsewhere', 'info 9', (bytes: Buffer) => Buffer.alloc(bytes.length)],
  ])('%s is said', (_what, call, changed) => {
    const kernel = new SimulatedKernel();
    kernel.alter = (asked, answer) => (asked === call ? { ...answer, bytes: changed(answer.bytes) } : answer);
    expect(differencesOf(take(recorded(kernel)).text)).not.toEqual([]);
  });
});

test('what Macs said is what is read of them', () => {
  const fixtures = join(root, 'test/darwin/fixtures');
  const files = existsSync(fixtures) ? readdirSync(fixtures).filter((file) => file.endsWith('.json')) : [];
  for (const file of files)
    expect([file, differencesOf(readFileSync(join(fixtures, file), 'utf8'))]).toEqual([file, []]);
});
