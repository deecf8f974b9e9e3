import { gzipSync } from 'node:zlib';
import { copyrightText, debChangelog, lintianOverrides, type Processor } from './control.ts';
import type { ReleaseDescription } from '../description.ts';

/** Where the program lies; hooks and timers that users install name it, so it never moves. */
const programFolder = 'usr/lib/curfew';

/** A file of the package. */
export interface PackedFile {
  /** Path below the root of the system, without a leading slash. */
  readonly to: string;
  /** A file of the checkout that is copied, or what is written. */
  readonly content: { readonly from: string } | { readonly bytes: Uint8Array };
  readonly mode: 0o644 | 0o755;
}

/** What a package is put together from. */
export interface DebSources {
  readonly release: ReleaseDescription;
  readonly processor: Processor;
  /** Seconds since 1970. */
  readonly epoch: number;
  /** Node's program and its licence. */
  readonly node: string;
  readonly nodeLicence: string;
  /** Returns the text of a file of the checkout. */
  readonly read: (file: string) => string;
  /** Returns the files below a folder of the checkout, as paths from there. */
  readonly filesBelow: (folder: string) => readonly string[];
}

/**
 * The command. Node is named by its path: the package's own, whatever is on PATH.
 */
export const launcher = `#!/bin/sh
exec /${programFolder}/bin/node /${programFolder}/build/out/cli/curfew.js "$@"
`;

const text = (to: string, content: string, mode: PackedFile['mode'] = 0o644): PackedFile => ({
  to,
  content: { bytes: Buffer.from(content) },
  mode,
});

/** Documents lie compressed, without a name or time in them (Debian Policy 12.3, gzip -9n). */
const compressed = (to: string, content: string): PackedFile => ({
  to: `${to}.gz`,
  content: { bytes: gzipSync(content, { level: 9 }) },
  mode: 0o644,
});

/** Of these packages of npm only what is loaded on Linux with glibc. */
const besides = (processor: Processor): readonly (readonly [string, RegExp])[] => [
  ['node_modules/koffi', /^(?:package\.json|LICENSE\.txt|index\.c?js|src\/koffi\/(?:src\/)?\w+\.c?js)$/u],
  [`node_modules/@koromix/koffi-linux-${processor}`, /^(?:package\.json|index\.js|linux_\w+\/koffi\.node)$/u],
  ['node_modules/ps-list', /^(?:package\.json|license|index\.js)$/u],
];

/**
 * Returns every file of the package. All of it is below /usr: there is nothing that a user could
 * have changed, so that nothing is asked at an upgrade, and nothing is left after a removal. Its
 * timer is enabled by users only, and its service by the operator only.
 */
export const debPlan = (sources: DebSources): readonly PackedFile[] => {
  const { release, processor, epoch, node, nodeLicence, read, filesBelow } = sources;
  const copied = (folder: string, wanted: (file: string) => boolean): readonly PackedFile[] =>
    filesBelow(folder)
      .filter(wanted)
      .map((file) => ({
        to: `${programFolder}/${folder}/${file}`,
        content: { from: `${folder}/${file}` },
        mode: 0o644,
      }));
  const share = 'build/out/share';
  const docs = `usr/share/doc/${release.name}`;
  const manifest = { name: release.npmName, version: release.version, type: 'module', license: release.licence };
  return [
    text('usr/bin/curfew', launcher, 0o755),
    { to: `${programFolder}/bin/node`, content: { from: node }, mode: 0o755 },
    text(`${programFolder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`),
    ...copied('build/out/cli', (file) => !file.endsWith('.map')),
    ...copied('build/out/renderer', (file) => !file.endsWith('.map')),
    ...besides(processor).flatMap(([folder, wanted]) => copied(folder, (file) => wanted.test(file))),
    ...['curfew.service', 'curfew.timer'].map((unit) =>
      text(`usr/lib/systemd/user/${unit}`, read(`${share}/systemd/user/${unit}`)),
    ),
    text('usr/lib/systemd/system/curfew.service', read('build/release/systemd/curfew.service')),
    text('usr/share/bash-completion/completions/curfew', read(`${share}/completions/curfew.bash`)),
    text('usr/share/zsh/vendor-completions/_curfew', read(`${share}/completions/_curfew`)),
    text('usr/share/fish/vendor_completions.d/curfew.fish', read(`${share}/completions/curfew.fish`)),
    ...['prometheus/curfew.rules.yml', 'grafana/curfew-dashboard.json'].map((file) =>
      text(`usr/share/${release.name}/${file}`, read(`${share}/${file}`)),
    ),
    compressed('usr/share/man/man1/curfew.1', read(`${share}/man/curfew.1`)),
    text(`${docs}/incident-line.schema.json`, read(`${share}/incident-line.schema.json`)),
    text(`${docs}/copyright`, copyrightText(release, read('LICENSE'))),
    compressed(`${docs}/changelog`, read('CHANGELOG.md')),
    compressed(`${docs}/changelog.Debian`, debChangelog(release, epoch)),
    compressed(`${docs}/NODE-LICENSE`, read(nodeLicence)),
    compressed(`${docs}/THIRD-PARTY-LICENCES.txt`, read(`${share}/THIRD-PARTY-LICENCES.txt`)),
    compressed(`${docs}/curfew.cdx.json`, read(`${share}/curfew.cdx.json`)),
    text(`usr/share/lintian/overrides/${release.name}`, lintianOverrides),
  ];
};

/** Scripts that dpkg runs as root: what the service of the machine needs, and nothing else. */
export const maintainerScripts = ['postinst', 'prerm', 'postrm'] as const;

/** Returns the path of a maintainer script in the checkout. */
export const maintainerScriptFile = (name: (typeof maintainerScripts)[number]): string =>
  `build/release/deb/${name}.sh`;
