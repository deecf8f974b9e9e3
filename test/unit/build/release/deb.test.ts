import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  controlText,
  copyrightText,
  debChangelog,
  debFileOf,
  debVersion,
} from '../../../../build/release/deb/control.ts';
import { debPlan, launcher, type PackedFile } from '../../../../build/release/deb/plan.ts';
import { releaseIn } from '../../../../build/release/description.ts';

const release = { ...releaseIn(join(import.meta.dirname, '../../../..')), version: '1.2.3', repository: 'me/curfew' };

const folders: Readonly<Record<string, readonly string[]>> = {
  'build/out/cli': ['curfew.js', 'index.js', 'index.js.map', 'chunks/scan-1.js'],
  'build/out/renderer': ['index.html', 'assets/main.js', 'assets/main.js.map'],
  'node_modules/koffi': [
    'package.json',
    'LICENSE.txt',
    'index.cjs',
    'index.js',
    'cnoke.cjs',
    'src/koffi/index.js',
    'src/koffi/src/static.cjs',
    'src/koffi/src/ffi.cc',
    'doc/x.md',
  ],
  'node_modules/@koromix/koffi-linux-arm64': [
    'package.json',
    'index.js',
    'linux_arm64/koffi.node',
    'musl_arm64/koffi.node',
  ],
  'node_modules/ps-list': ['package.json', 'license', 'index.js', 'vendor/fastlist-0.3.0-x64.exe'],
};

const plan = (): readonly PackedFile[] =>
  debPlan({
    release,
    processor: 'arm64',
    epoch: 1_000_000_000,
    node: 'node',
    nodeLicence: 'node-licence',
    read: (file) => `text of ${file}\n`,
    filesBelow: (folder) => folders[folder] ?? [],
  });

const textOf = (to: string): string => {
  const content = plan().find((file) => file.to === to)?.content;
  if (content === undefined || 'from' in content) throw new Error(`${to} is not written`);
  return Buffer.from(to.endsWith('.gz') ? gunzipSync(content.bytes) : content.bytes).toString('utf8');
};

describe('the plan of the Debian package', () => {
  test('is all below /usr, each path once: there is nothing to ask at an upgrade, and nothing to leave behind', () => {
    const paths = plan().map(({ to }) => to);
    expect(paths.filter((path) => !/^usr\/(?:bin|lib|share)\//u.test(path) || path.includes('..'))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test('has two programs, and what runs is the package’s own Node', () => {
    expect(
      plan()
        .filter(({ mode }) => mode === 0o755)
        .map(({ to }) => to),
    ).toEqual(['usr/bin/curfew', 'usr/lib/curfew/bin/node']);
    expect(launcher).toBe('#!/bin/sh\nexec /usr/lib/curfew/bin/node /usr/lib/curfew/build/out/cli/curfew.js "$@"\n');
  });

  test('has what is loaded on Linux, and no sources, maps or programs of other systems', () => {
    const paths = plan().map(({ to }) => to.replace('usr/lib/curfew/', ''));
    for (const file of [
      'build/out/cli/chunks/scan-1.js',
      'build/out/renderer/assets/main.js',
      'node_modules/koffi/src/koffi/src/static.cjs',
      'node_modules/@koromix/koffi-linux-arm64/linux_arm64/koffi.node',
      'node_modules/ps-list/index.js',
    ])
      expect(paths).toContain(file);
    expect(paths.filter((path) => /\.map$|\.cc$|\.exe$|musl|cnoke|doc\/x/u.test(path))).toEqual([]);
  });

  test('has the units, completions and the manual where each is looked for', () => {
    expect(plan().map(({ to }) => to)).toEqual(
      expect.arrayContaining([
        'usr/lib/systemd/user/curfew.service',
        'usr/lib/systemd/user/curfew.timer',
        'usr/lib/systemd/system/curfew.service',
        'usr/share/bash-completion/completions/curfew',
        'usr/share/zsh/vendor-completions/_curfew',
        'usr/share/fish/vendor_completions.d/curfew.fish',
        'usr/share/man/man1/curfew.1.gz',
      ]),
    );
    expect(textOf('usr/share/man/man1/curfew.1.gz')).toBe('text of build/out/share/man/curfew.1\n');
    expect(textOf('usr/share/doc/curfew/NODE-LICENSE.gz')).toBe('text of node-licence\n');
  });

  test('is the same each time it is made', () => {
    expect(plan()).toEqual(plan());
  });
});

describe('the control file', () => {
  test('names package, version, processor and what is needed', () => {
    const control = controlText(release, 'x64', 12_345);
    expect(control).toMatch(/^Package: curfew\nVersion: 1\.2\.3-1\nArchitecture: amd64\n/u);
    expect(control).toContain('Installed-Size: 12345\n');
    expect(control).toMatch(/^Depends: libc6 \(>= 2\.28\)/mu);
    expect(control).not.toContain('nodejs');
    expect(control).toContain('Homepage: https://github.com/me/curfew\n');
    // Every line is a field or its continuation, and at most 80 columns long.
    for (const line of control.trimEnd().split('\n')) expect(line).toMatch(/^(?:[A-Z][\w-]*: \S| \S).{0,79}$/u);
  });

  test('orders a pre-release before its release', () => {
    expect(debVersion('1.0.0-rc.1')).toBe('1.0.0~rc.1-1');
    expect(debFileOf({ name: 'curfew', version: '1.0.0' }, 'arm64')).toBe('curfew_1.0.0-1_arm64.deb');
  });

  test('the copyright file names Curfew’s licence and those of what is inside', () => {
    const text = copyrightText(
      release,
      'MIT License\n\nCopyright (c) 2026 The Authors\n\nPermission is granted.\n\nTHE SOFTWARE IS.\n',
    );
    expect(text).toContain(
      'Copyright: 2026 The Authors\nLicense: Expat\n Permission is granted.\n .\n THE SOFTWARE IS.\n',
    );
    expect(text).toContain('NODE-LICENSE.gz');
  });

  test('the changelog bears the moment of the build', () => {
    expect(debChangelog(release, 1_000_000_000)).toContain('curfew (1.2.3-1) unstable');
    expect(debChangelog(release, 1_000_000_000)).toMatch(/^ -- .+ <.+> {2}Sun, 09 Sep 2001 01:46:40 \+0000$/mu);
  });
});
