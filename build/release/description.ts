import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** A package of npm that stays beside the bundle. */
export interface Need {
  readonly name: string;
  readonly version: string;
  /** Subresource Integrity, as package-lock.json has it. */
  readonly integrity: string;
  /** Node's names of the platforms that it is for; empty: all. */
  readonly platforms: readonly string[];
}

/**
 * One release, as every package manager is told of it. Nothing of it stands in a second place:
 * names, versions and hashes come from package.json, package-lock.json and the files that were
 * built.
 */
export interface ReleaseDescription {
  /** Name of the program and of its packages outside of npm. */
  readonly name: 'curfew';
  readonly npmName: string;
  readonly version: string;
  /** One sentence without a full stop. */
  readonly summary: string;
  /** At most 60 characters, as lists of packages show it. */
  readonly shortSummary: string;
  readonly licence: string;
  /** `owner/repo` on GitHub; the placeholder where package.json names none. */
  readonly repository: string;
  readonly maintainer: string;
  /** The oldest Node that can run it: "22.13". */
  readonly minNode: string;
  /** The Node that is tested with it, and that packages carry. */
  readonly node: string;
  readonly needs: readonly Need[];
  /** SHA-256 in hexadecimal of each file of the release; empty before it is built. */
  readonly sums: ReadonlyMap<string, string>;
}

/** Stands where the owner of the repository is not known: package.json has no `repository` yet. */
export const unknownRepository = 'OWNER/curfew';

/** Stands for the hash of a file that is not built yet. No file has it. */
export const unknownSum = '0'.repeat(64);

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  author: z.string(),
  engines: z.object({ node: z.string().regex(/^>=\d+\.\d+$/u) }),
  devDependencies: z.object({ node: z.string() }),
  repository: z.union([z.string(), z.object({ url: z.string() })]).optional(),
});

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().optional(),
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
    }),
  ),
});

/**
 * Returns `owner/repo` of a `repository` field of package.json, or the placeholder if there is
 * none. https://docs.npmjs.com/cli/v11/configuring-npm/package-json#repository
 * @throws Error if it is no repository on GitHub: provenance is made for those
 */
export const repositoryOf = (field: string | { readonly url: string } | undefined): string => {
  if (field === undefined) return unknownRepository;
  const text = typeof field === 'string' ? field : field.url;
  const { name } =
    /^(?:github:|git\+https:\/\/github\.com\/|https:\/\/github\.com\/)?(?<name>[A-Za-z0-9-]+\/[A-Za-z0-9._-]+?)(?:\.git)?$/u.exec(
      text,
    )?.groups ?? {};
  if (name === undefined)
    throw new Error(`package.json names the repository ${JSON.stringify(text)}, which is not one on GitHub`);
  return name;
};

const needsIn = (lock: unknown): readonly Need[] =>
  Object.entries(lockSchema.parse(lock).packages).flatMap(([path, { version, integrity, dev, os, cpu }]) => {
    if (!path.startsWith('node_modules/') || dev === true || version === undefined || integrity === undefined)
      return [];
    const platforms = (os ?? []).flatMap((one) => (cpu ?? []).map((processor) => `${one}-${processor}`));
    return [{ name: path.slice('node_modules/'.length), version, integrity, platforms }];
  });

/**
 * Returns the description that package.json and package-lock.json give.
 * @param sums SHA-256 of the files of the release, by name
 * @throws ZodError or Error where a field is missing or has another form
 */
export const describeRelease = (
  manifest: unknown,
  lock: unknown,
  sums: ReadonlyMap<string, string> = new Map(),
): ReleaseDescription => {
  const { name, version, description, license, author, engines, devDependencies, repository } =
    manifestSchema.parse(manifest);
  return {
    name: 'curfew',
    npmName: name,
    version,
    summary: description,
    shortSummary: 'ends what AI coding agents leave running',
    licence: license,
    repository: repositoryOf(repository),
    maintainer: `${author} <curfew@curfew.invalid>`,
    minNode: engines.node.slice('>='.length),
    node: devDependencies.node,
    needs: needsIn(lock),
    sums,
  };
};

/** Returns the description of the release that a checkout would make. */
export const releaseIn = (root: string, sums: ReadonlyMap<string, string> = new Map()): ReleaseDescription => {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
  return describeRelease(read('package.json'), read('package-lock.json'), sums);
};

/** Returns the page of the project. */
export const homepageOf = ({ repository }: ReleaseDescription): string => `https://github.com/${repository}`;

/** Returns where a file of the release is downloaded from. */
export const downloadOf = ({ repository, version }: ReleaseDescription, file: string): string =>
  `https://github.com/${repository}/releases/download/v${version}/${file}`;

/** Returns the hash of a file of the release, or `unknownSum` before it is built. */
export const sumOf = ({ sums }: ReleaseDescription, file: string): string => sums.get(file) ?? unknownSum;

/** Returns the name of npm's tarball: `npm pack` writes a scope with a hyphen. */
export const tarballOf = ({ npmName, version }: Pick<ReleaseDescription, 'npmName' | 'version'>): string =>
  `${npmName.replace(/^@/u, '').replace('/', '-')}-${version}.tgz`;

/** Returns where npm's registry keeps the tarball of a package. */
export const registryTarball = (name: string, version: string): string =>
  `https://registry.npmjs.org/${name}/-/${name.slice(name.lastIndexOf('/') + 1)}-${version}.tgz`;

/** Returns the name of the installer for Windows, as electron-builder.yml has it. */
export const installerOf = ({ version }: Pick<ReleaseDescription, 'version'>): string => `curfew-${version}-setup.exe`;
