/**
 * This system, as Node names it. Only main/os compares it: other folders hand it on to what writes
 * paths and commands for a system, and ask below for what it has.
 */
export const system: NodeJS.Platform = process.platform;

const onWindows = system === 'win32';
const onLinux = system === 'linux';

/** Files have modes; on Windows the folder of the user's profile keeps others out. */
export const hasModes = !onWindows;
/** `open` can refuse a link. */
export const refusesLinks = !onWindows;
/** A file that is open can be removed. */
export const removesOpenFiles = !onWindows;
/** Names in a folder can be made durable, and have to be. */
export const syncsFolders = !onWindows;
/** A process can hear that it is to end; on Windows TERM ends it at once. */
export const hearsSignals = !onWindows;
/** Agents run POSIX scripts. */
export const runsShellScripts = !onWindows;
/** The environment names the user's language. */
export const namesLanguage = !onWindows;
/** What is started can be held in a job object. */
export const hasJobObjects = onWindows;
/** One service manager starts programs as every user. */
export const isSharedByUsers = onLinux;
/** Process 1 can be a container's own. */
export const runsInContainers = onLinux;
/** statfs(2) names kinds of file systems by known numbers. */
export const namesFileSystems = onLinux;
/** The name of a boot has the pid namespace in it. */
export const bootNamesNamespace = onLinux;
/** Folders for temporary files that all users share, beside the user's own. */
export const sharedTemporary: readonly string[] = onWindows ? [] : ['/tmp'];

/**
 * Forgets a HOME that is no whole path, an empty one as well: that of the account counts then. It
 * would lead into the current folder, where a repository has settings, records and compiled code.
 */
export const forgetRelativeHome = (): void => {
  if (!onWindows && process.env['HOME']?.startsWith('/') === false) delete process.env['HOME'];
};
