import { nameIn, programNames, type Program } from './program.ts';

const viewed = programNames(
  `Xvnc Xtigervnc Xtightvnc Xrealvnc Xspice x11vnc x0vncserver x0tigervncserver wayvnc krfb krdpserver vino-server
  gnome-remote-desktop-daemon xrdp xrdp-sesman xrdp-chansrv nxagent nxserver x2goagent xpra sunshine rustdesk anydesk`,
);

/** True for a program that shows a display to a viewer elsewhere, also while none is connected. */
export const showsElsewhere = (program: Program): boolean => nameIn(program, viewed) !== null;
