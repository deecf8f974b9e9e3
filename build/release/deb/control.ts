import { homepageOf, type ReleaseDescription } from '../description.ts';

/** Debian's names of the processors that a package is made for, by Node's. */
export const architectures = { x64: 'amd64', arm64: 'arm64' } as const;

/** See `architectures`. */
export type Processor = keyof typeof architectures;

/**
 * Returns the version as Debian writes it: a pre-release sorts before its release
 * (deb-version(7)).
 */
export const debVersion = (version: string): string => `${version.replace('-', '~')}-1`;

/** Returns the name of the package's file, as Debian's tools write it. */
export const debFileOf = (
  { name, version }: Pick<ReleaseDescription, 'name' | 'version'>,
  processor: Processor,
): string => `${name}_${debVersion(version)}_${architectures[processor]}.deb`;

/**
 * What Node's own builds and koffi need of a system, as dpkg-shlibdeps finds it in Debian 12; the
 * test of the package asks it again. Node 24 needs glibc 2.28 and the libstdc++ of GCC 8
 * (https://github.com/nodejs/node/blob/v24.x/BUILDING.md#platform-list).
 */
export const libraries = ['libc6 (>= 2.28)', 'libgcc-s1 (>= 3.4)', 'libstdc++6 (>= 9)'] as const;

/**
 * Returns the control file. https://www.debian.org/doc/debian-policy/ch-controlfields.html
 * @param installedKiB what it takes on the disk
 */
export const controlText = (release: ReleaseDescription, processor: Processor, installedKiB: number): string =>
  [
    `Package: ${release.name}`,
    `Version: ${debVersion(release.version)}`,
    `Architecture: ${architectures[processor]}`,
    `Maintainer: ${release.maintainer}`,
    `Installed-Size: ${installedKiB}`,
    `Depends: ${libraries.join(', ')}`,
    // For other machines: through the user's own ssh.
    'Suggests: openssh-client',
    'Section: utils',
    'Priority: optional',
    `Homepage: ${homepageOf(release)}`,
    `Description: ${release.shortSummary}`,
    ' Curfew finds the background commands, servers and agents that AI coding agents',
    ' start and forget, says whose they were and why it thinks so, ends the whole',
    ' process tree safely, and keeps a record. It ends nothing by itself until its',
    ' user has chosen so.',
    ' .',
    ` The package carries Node ${release.node}: Curfew needs ${release.minNode}, and Debian 12 and`,
    ' 13 have older ones.',
    '',
  ].join('\n');

/**
 * Returns the machine-readable copyright file.
 * https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
 * @param licence the text of Curfew's licence
 */
export const copyrightText = (release: ReleaseDescription, licence: string): string => {
  const [, , ...terms] = licence.trim().split('\n');
  const holder = licence.split('\n').find((line) => line.startsWith('Copyright')) ?? '';
  const field = (lines: readonly string[]): string =>
    lines.map((line) => (line.trim() === '' ? ' .' : ` ${line.trim()}`)).join('\n');
  return [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    'Upstream-Name: Curfew',
    `Source: ${homepageOf(release)}`,
    '',
    'Files: *',
    `Copyright: ${holder.replace(/^Copyright (?:\(c\) )?/u, '')}`,
    'License: Expat',
    field(terms.slice(terms.findIndex((line) => line.startsWith('Permission')))),
    '',
    'Files: usr/lib/curfew/bin/node',
    'Copyright: Node.js contributors',
    'License: Node',
    ` The program of Node ${release.node} as nodejs.org gives it. Its licence, with those of all its`,
    ' parts, is /usr/share/doc/curfew/NODE-LICENSE.gz.',
    '',
    'Files: usr/lib/curfew/build/* usr/lib/curfew/node_modules/*',
    'Copyright: the authors of each package',
    'License: others',
    ' Packages of npm inside and beside the bundle: each with its licence in',
    ' /usr/share/doc/curfew/THIRD-PARTY-LICENCES.txt.gz, and listed with their versions in',
    ' /usr/share/doc/curfew/curfew.cdx.json.gz.',
    '',
  ].join('\n');
};

/** Returns the changelog of the package itself; what is new in Curfew is in changelog.gz. */
export const debChangelog = (release: ReleaseDescription, epoch: number): string => {
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000');
  return [
    `${release.name} (${debVersion(release.version)}) unstable; urgency=medium`,
    '',
    `  * Curfew ${release.version}. What is new is in changelog.gz.`,
    '',
    ` -- ${release.maintainer}  ${date}`,
    '',
  ].join('\n');
};

/**
 * What lintian finds and is meant: each with its reason. lintian(1)
 */
export const lintianOverrides = [
  '# Node is given as nodejs.org builds it, byte for byte, so that its hash can be compared.',
  'curfew: unstripped-binary-or-object [usr/lib/curfew/bin/node]',
  'curfew: embedded-library *',
  'curfew: hardening-no-pie [usr/lib/curfew/bin/node]',
  '# Started by Node by name, from the launcher.',
  'curfew: script-not-executable [usr/lib/curfew/build/out/cli/curfew.js]',
  'curfew: script-not-executable [usr/lib/curfew/node_modules/koffi/src/koffi/src/trampolines.cjs]',
  '# It is made upstream, for every Debian and Ubuntu, and no bug in Debian asks for it.',
  'curfew: initial-upload-closes-no-bugs *',
  '',
].join('\n');
