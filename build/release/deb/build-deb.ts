import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { debFileOf, controlText, type Processor } from './control.ts';
import { debPlan, maintainerScriptFile, maintainerScripts, type PackedFile } from './plan.ts';
import type { ReleaseDescription } from '../description.ts';

/** What `buildDeb` builds. */
export interface DebOrder {
  /** The checkout, with what `npm pack` builds in build/out. */
  readonly root: string;
  readonly release: ReleaseDescription;
  readonly processor: Processor;
  /** Seconds since 1970: two packages of the same files are the same bytes. */
  readonly epoch: number;
  /** Node's program and its licence, from the root of the checkout. */
  readonly node: string;
  readonly nodeLicence: string;
  /** Folder of the package; made where it is missing. */
  readonly output: string;
  /** `none` for tests of what is inside: compressing Node takes a minute. */
  readonly compression: 'xz' | 'none';
}

const writeFile = (root: string, stage: string, { to, content, mode }: PackedFile): void => {
  const path = join(stage, to);
  mkdirSync(dirname(path), { recursive: true });
  if ('from' in content) copyFileSync(join(root, content.from), path);
  else writeFileSync(path, content.bytes);
  // Whatever the umask is.
  chmodSync(path, mode);
};

/** Files of a folder, sorted, so that no order of a file system is in the package. */
const filesBelow = (root: string, folder: string): readonly string[] => {
  if (!existsSync(join(root, folder)))
    throw new Error(`${folder} is missing: \`npm ci\` and \`npm pack\` make what the package holds`);
  return globSync('**/*', { cwd: join(root, folder) })
    .filter((file) => statSync(join(root, folder, file)).isFile())
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();
};

/**
 * Builds the package with dpkg-deb and returns its path. nfpm would also make RPMs, but no
 * registry that npm ci knows has it, and what it adds here is the ar and tar that every Debian and
 * Ubuntu has already.
 * @throws Error when a file is missing or dpkg-deb fails
 */
export const buildDeb = (order: DebOrder): string => {
  const { root, release, processor, epoch, node, nodeLicence, output, compression } = order;
  const stage = mkdtempSync(join(tmpdir(), 'curfew-deb-'));
  try {
    chmodSync(stage, 0o755);
    const plan = debPlan({
      release,
      processor,
      epoch,
      node,
      nodeLicence,
      read: (file) => readFileSync(join(root, file), 'utf8'),
      filesBelow: (folder) => filesBelow(root, folder),
    });
    for (const file of plan) writeFile(root, stage, file);
    for (const folder of globSync('**/', { cwd: stage })) chmodSync(join(stage, folder), 0o755);
    const bytes = plan.reduce((sum, { to }) => sum + Math.ceil(statSync(join(stage, to)).size / 1024), 0);
    const control = Buffer.from(controlText(release, processor, bytes));
    writeFile(root, stage, { to: 'DEBIAN/control', content: { bytes: control }, mode: 0o644 });
    chmodSync(join(stage, 'DEBIAN'), 0o755);
    for (const name of maintainerScripts) {
      copyFileSync(join(root, maintainerScriptFile(name)), join(stage, 'DEBIAN', name));
      chmodSync(join(stage, 'DEBIAN', name), 0o755);
    }
    const file = join(output, debFileOf(release, processor));
    mkdirSync(output, { recursive: true });
    // dpkg-deb(1): takes SOURCE_DATE_EPOCH for the archive and for every newer file in it.
    const { status, stderr, error } = spawnSync(
      'dpkg-deb',
      ['--root-owner-group', `-Z${compression}`, '--threads-max=2', '--build', stage, file],
      { encoding: 'utf8', env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) } },
    );
    if (status !== 0) throw new Error(`dpkg-deb could not build ${file}: ${error?.message ?? stderr}`);
    return file;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
};
