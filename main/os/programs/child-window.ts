/**
 * Options of every child of Curfew that shows nothing. On Windows a console program gets a window
 * of its own where Curfew has no console, as in the tray app (a Terminal window on Windows 11).
 * Elsewhere it means nothing.
 */
export const noWindow = { windowsHide: true } as const;

/** Options of a child that the user wants to see: its windows are shown as it likes. */
export const ownWindow = { windowsHide: false } as const;
