import type { MemberFacts } from '../process/facts.ts';
import { nameIn, programNames, type Program } from './program.ts';

const viewed = programNames(
  `Xvnc Xtigervnc Xtightvnc Xrealvnc Xspice x11vnc x0vncserver x0tigervncserver wayvnc krfb krdpserver vino-server
  gnome-remote-desktop-daemon xrdp xrdp-sesman xrdp-chansrv nxagent nxserver x2goagent xpra sunshine rustdesk anydesk`,
);

/** Where display servers listen: X, also at an abstract name, and Wayland. */
const displaySocket = /(?:^|\/)\.X11-unix\/X\d+$|(?:^|\/)wayland-[^/]+$/u;
/** TCP ports of X itself: 6000 plus the number of the display. */
const isPortOfX = (port: number): boolean => port >= 6000 && port <= 6063;
/** Ports of RFB and RDP: https://www.rfc-editor.org/rfc/rfc6143, "[MS-RDPBCGR]". */
const isPortOfViewers = (port: number): boolean => (port >= 5900 && port <= 5999) || port === 3389;

/**
 * True for a program that shows a display to a viewer elsewhere, also while none is connected: by
 * its name, or because it serves a display and listens on another port than those of X, or is
 * connected to one and listens where viewers ask.
 */
export const showsElsewhere = (
  program: Program,
  facts: Pick<MemberFacts, 'listens' | 'ports' | 'displays'> | null | undefined,
): boolean => {
  if (nameIn(program, viewed) !== null) return true;
  const { listens = [], ports = [], displays = [] } = facts ?? {};
  if (listens.some((path) => displaySocket.test(path))) return ports.some((port) => !isPortOfX(port));
  return displays.length > 0 && ports.some(isPortOfViewers);
};
