import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, normalize } from 'node:path';
import type { FileOwner, StaleKind } from '../../app/sweep/stale-file.ts';
import { messagingSocketOwner, snapshotOwner, temporarySocketOwner } from '../../app/sweep/forms.ts';

/** A folder in which agents leave files of a known form. No other folder is read. */
export interface KnownFolder {
  readonly path: string;
  readonly kind: StaleKind;
  /** Returns what made a file of that name; null for names of no known form, which are skipped. */
  readonly ownerOf: (name: string) => FileOwner | null;
}

/** What the folders depend on. */
export interface KnownFoldersInput {
  readonly home: string;
  /** CLAUDE_CONFIG_DIR of the caller and of living agents. */
  readonly configurationFolders: readonly string[];
  /** Temporary folders; /tmp and the system's own by default. */
  readonly temporary?: readonly string[];
}

/**
 * Returns the folder's real path: the user's home and the system's temporary folder may be links;
 * below them none is followed.
 */
const realPlace = (path: string): string | null => {
  try {
    return realpathSync(path);
  } catch {
    // Missing, so empty.
    return null;
  }
};

const isPlain = (path: string): boolean => isAbsolute(path) && normalize(path) === path && path !== '/';

const distinct = (paths: readonly (string | null)[]): readonly string[] => [
  ...new Set(paths.filter((path): path is string => path !== null)),
];

/** Returns the known configuration folders of Claude Code. */
const claudeFolders = ({ home, configurationFolders }: KnownFoldersInput): readonly string[] => {
  const own = realPlace(home);
  return distinct([own === null ? null : join(own, '.claude'), ...configurationFolders.filter(isPlain)]);
};

/** Returns the folders of shell snapshots and of sockets. */
export const knownFolders = (input: KnownFoldersInput): readonly KnownFolder[] => {
  const temporary = distinct((input.temporary ?? ['/tmp', tmpdir()]).map(realPlace));
  return [
    ...claudeFolders(input).map((folder): KnownFolder => ({
      path: join(folder, 'shell-snapshots'),
      kind: 'shell-snapshot',
      ownerOf: snapshotOwner,
    })),
    ...temporary.flatMap((folder): KnownFolder[] => [
      { path: folder, kind: 'socket', ownerOf: temporarySocketOwner },
      { path: join(folder, 'cc-socks'), kind: 'socket', ownerOf: messagingSocketOwner },
    ]),
  ];
};
