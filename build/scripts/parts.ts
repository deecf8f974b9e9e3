import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findChromium } from './find-chromium.ts';

/** Debian's packages and the programs that tests use of them. */
const programsOf: Readonly<Record<string, readonly string[]>> = {
  busybox: ['busybox'],
  'dbus-daemon': ['dbus-daemon'],
  'desktop-file-utils': ['desktop-file-validate'],
  dpkg: ['dpkg-deb'],
  'dumb-init': ['dumb-init'],
  dunst: ['dunst'],
  fish: ['fish'],
  gdb: ['gdb'],
  git: ['git'],
  'gpg-agent': ['gpg-agent'],
  iproute2: ['ip', 'ss'],
  jq: ['jq'],
  jwm: ['jwm'],
  lsof: ['lsof'],
  mksh: ['mksh'],
  'openssh-client': ['ssh', 'ssh-agent', 'ssh-keygen'],
  'openssh-server': ['sshd'],
  perl: ['perl'],
  podman: ['podman'],
  procps: ['ps'],
  python3: ['python3'],
  shellcheck: ['shellcheck'],
  strace: ['strace'],
  systemd: ['busctl', 'systemd-analyze'],
  screen: ['screen'],
  tini: ['tini'],
  tmux: ['tmux'],
  trayer: ['trayer'],
  // Essential packages of Debian: bsdutils, mount and util-linux.
  bsdutils: ['script'],
  mount: ['mount', 'umount'],
  'util-linux': ['flock', 'nsenter', 'setpriv', 'setsid', 'unshare'],
  vim: ['vim'],
  xdotool: ['xdotool'],
  'xfce4-panel': ['xfce4-panel'],
  xvfb: ['Xvfb'],
  zsh: ['zsh'],
};

/** The browser that `findChromium` finds; it may be another than Debian's. */
const browser = 'chromium';

/** A missing program and its package. */
export interface MissingPart {
  readonly what: string;
  readonly debian: string;
}

/**
 * Returns what tests use and this machine lacks.
 * @param isThere returns whether a program of this name can be run
 * @param browserIsThere whether there is a browser for tests
 */
export const missingParts = (
  isThere: (program: string) => boolean,
  browserIsThere: boolean,
): readonly MissingPart[] => [
  ...(browserIsThere ? [] : [{ what: 'a browser (Chromium)', debian: browser }]),
  ...Object.entries(programsOf).flatMap(([debian, programs]) => {
    const missing = programs.filter((program) => !isThere(program));
    return missing.length === 0 ? [] : [{ what: missing.join(', '), debian }];
  }),
];

/** Returns whether a program is on the path, or in Debian's folders for root. */
const canRun = (program: string): boolean =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'].some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/**
 * Returns what tests use and this machine lacks now. Tests on processes run on Linux only, so
 * elsewhere that is a browser at most.
 */
export const missingHere = (): readonly MissingPart[] => {
  if (process.platform !== 'linux') return missingParts(() => true, 'path' in findChromium());
  // Without root, other users in a namespace need newuidmap.
  const forUsers = process.getuid?.() === 0 || canRun('newuidmap') ? [] : [{ what: 'newuidmap', debian: 'uidmap' }];
  return [...missingParts(canRun, 'path' in findChromium()), ...forUsers];
};

/** Returns the command that installs packages, for the user to type. */
export const installCommand = (packages: readonly string[]): string =>
  `apt-get install --no-install-recommends ${packages.join(' ')}`;
