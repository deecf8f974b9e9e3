import type { DisplayLink, OpenFile } from '../../../../app/process/facts.ts';
import { noInode } from '../sock-diag/inet.ts';
import { endOf, isEstablished, isListening, isServed, type NetworkTable } from './network-table.ts';
import { socketsAmong } from './serving.ts';
import type { SocketWorld } from './socket-world.ts';
import type { LocalSocket } from './unix-table.ts';

/**
 * The socket of a display server: X's (X(7), "display names"; WSLg has them in /mnt/wslg),
 * Wayland's (wl_display_connect: https://wayland.freedesktop.org/docs/html/apb.html) and
 * gamescope's.
 */
const display = /(?:^|\/)\.X11-unix\/X\d+$|(?:^|\/)(?:wayland|gamescope)-[^/]+$/u;

/** X's TCP ports: 6000 plus the display; ssh -X counts from 6010 (X11DisplayOffset). */
const firstPort = 6000;
const lastPort = 6063;

/** Display servers by their kernel names, at most 15 characters. */
const compositors: ReadonlySet<string> = new Set(
  `Xorg Xorg.bin Xorg.wrap X Xwayland Xephyr Xnest Xvnc Xtigervnc Xtightvnc Xrealvnc Xspice nxagent x2goagent gnome-shell mutter kwin_wayland
  kwin_x11 sway Hyprland hyprland weston river wayfire labwc cage gamescope gamescope-wl niri cosmic-comp phoc miriway mir_demo_server enlightenment
  lxqt-session hikari dwl qtile waybox jay cagebreak sommelier waypipe xpra`
    .split(/\s+/u)
    .map((name) => name.slice(0, 15)),
);

/** Returns whether a program of that short name is a display server. */
export const isCompositor = (comm: string): boolean => compositors.has(comm);

/** Returns whether a socket of that name belongs to a display. */
export const isDisplayName = (name: string | null): boolean => name !== null && display.test(name);

/** Returns the paths of displays that have clients among these sockets. */
export const displaysAmong = (sockets: Iterable<LocalSocket>): readonly string[] =>
  [...sockets].flatMap(({ connected, name }) => (connected && name !== null && isDisplayName(name) ? [name] : []));

const linkOverNetwork = (table: NetworkTable, inode: string): DisplayLink | null => {
  const row = table.byInode.get(inode);
  if (row === undefined || !isEstablished(row) || isServed(row, table)) return null;
  const { port } = endOf(row.remote);
  if (port < firstPort || port > lastPort) return null;
  const peer = table.byEnds.get(`${row.remote} ${row.local}`)?.inode ?? null;
  return { at: row.remote, peer: peer === noInode ? null : peer };
};

/** What one socket proves: a display, that it is none and stays none, or nothing yet. */
type Finding = DisplayLink | 'none' | 'not yet';

/**
 * Finds the displays that processes are connected to. Results for connected sockets are cached,
 * because a connection does not change its ends.
 */
export class DisplayReader {
  readonly #known = new Map<string, DisplayLink | 'none'>();

  /**
   * Returns the visible displays a process is connected to.
   * @throws ProcessTableUnreadable
   */
  read(pid: number, files: readonly OpenFile[], world: SocketWorld): readonly DisplayLink[] {
    const links: DisplayLink[] = [];
    for (const { file, inode } of socketsAmong(files)) {
      const key = `${pid}:${inode}`;
      const finding = this.#known.get(key) ?? this.#look(pid, file, inode, world);
      if (finding === 'not yet') continue;
      if (this.#known.size >= maxKnown) this.#known.clear();
      this.#known.set(key, finding);
      if (finding !== 'none') links.push(finding);
    }
    return links;
  }

  #look(pid: number, file: OpenFile, inode: string, world: SocketWorld): Finding {
    const table = world.network(pid);
    const row = table?.byInode.get(inode);
    if (table !== null && row !== undefined) {
      const link = linkOverNetwork(table, inode);
      // A listening socket connects to nothing any more; a connecting one may be on its way to a
      // display.
      return link ?? (isEstablished(row) || isListening(row) || row.protocol !== 'tcp' ? 'none' : 'not yet');
    }
    const socket = world.local(pid, inode);
    if (socket === null) return world.isNoConnection(pid, file, inode) === 'machine' ? 'none' : 'not yet';
    if (socket.listens) return 'none';
    if (!socket.connected) return 'not yet';
    const { peer } = socket;
    if (peer === 'none') return 'not yet';
    if (peer === 'closed') return 'none';
    if (peer === 'unknown') {
      const [at] = world.displays(pid);
      return at === undefined || socket.name !== null ? 'not yet' : { at, peer: null };
    }
    const name = world.local(pid, peer.inode)?.name ?? null;
    if (isDisplayName(name)) return { at: name ?? '', peer: peer.inode };
    return world.compositorSockets().has(peer.inode) ? { at: name ?? 'a display', peer: peer.inode } : 'none';
  }
}

/** At most this many sockets are remembered. */
const maxKnown = 20_000;
