/*
 * Names of files and programs, as every system writes them. What is no path of Windows by its form
 * is taken as it stands, also where it has a `\` in it: on Linux and macOS that is a letter.
 */

const ofWindows = /^(?:[A-Za-z]:[\\/]|\\\\|\\\?\?\\)/u;

/**
 * True for an absolute path as Windows writes it: of a drive (`C:\a`, `c:/a`), a host (`\\host\a`)
 * or the kernel (`\\?\C:\a`).
 * https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
export const isWindowsPath = (path: string): boolean => ofWindows.test(path);

/** True for an absolute path of any system. */
export const isAbsolutePath = (path: string): boolean => path.startsWith('/') || isWindowsPath(path);

/**
 * Returns a path of Windows, also a relative one, with forward slashes and a capital drive letter,
 * without the prefixes of the kernel (`\\?\C:\a` becomes `C:/a`, `\\?\UNC\host\a` becomes
 * `//host/a`). Windows takes both slashes, so it stays a path that can be opened.
 */
export const windowsPath = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .replace(/^\/(?:\/|\?)\?\/UNC\//iu, '//')
    .replace(/^\/(?:\/|\?)\?\//u, '')
    .replace(/^[a-z]:/u, (drive) => drive.toUpperCase());

/** Returns `windowsPath` of a path of Windows, and every other as it stands. */
export const plainPath = (path: string): string => (isWindowsPath(path) ? windowsPath(path) : path);

/** Returns a Windows program's path to compare: `windowsPath`, lower-case file, no `.exe`. */
export const windowsProgram = (path: string): string => {
  const plain = windowsPath(path);
  const at = plain.lastIndexOf('/') + 1;
  const file = plain.slice(at).toLowerCase();
  return plain.slice(0, at) + file.replace(/(?<=.)\.exe$/u, '');
};

/** Returns the last part of a path. */
export const baseName = (path: string): string => {
  const plain = plainPath(path);
  return plain.slice(plain.lastIndexOf('/') + 1);
};

/** Returns a program's path to compare: Windows's as by `windowsProgram`, others unchanged. */
export const programPath = (path: string): string => (isWindowsPath(path) ? windowsProgram(path) : path);

/** Returns the name by which a program is compared: the last part of `programPath`. */
export const programFile = (path: string): string => baseName(programPath(path));

/** The path of a drive in MSYS2, on which Git Bash runs: `/c/Users`. */
const ofMsys = /^\/(?<drive>[A-Za-z])(?=\/|$)/u;

/**
 * Returns the path of Windows that a path of Git Bash stands for: `C:/Users` for `/c/Users`. Paths
 * below its own root (`/usr/bin`) and paths of Windows come back as they are.
 * https://www.msys2.org/docs/filesystem-paths/
 */
export const fromGitBash = (path: string): string => {
  const drive = ofMsys.exec(path)?.groups?.['drive'];
  if (drive === undefined) return path;
  const rest = path.slice(2);
  return `${drive.toUpperCase()}:${rest === '' ? '/' : rest}`;
};

/** Letter by letter, as NTFS compares names: never one letter for two (`ß` is not `ss`). */
const folded = (text: string): string =>
  text.replaceAll(/./gsu, (letter) => (letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter));

const withoutLastSlash = (path: string): string => path.replace(/(?<=[^:/])\/+$/u, '');

/** The forms in which two paths are compared: as Windows does where one of them is of Windows. */
const comparable = (left: string, right: string): readonly [string, string] => {
  if (!isWindowsPath(left) && !isWindowsPath(right)) return [left, right];
  const form = (path: string): string => withoutLastSlash(folded(windowsPath(fromGitBash(path))));
  return [form(left), form(right)];
};

/**
 * True for two ways to write one path: on Windows whatever the case, the slashes, the prefix, and
 * whether Git Bash wrote one of them. Links, short names (`PROGRA~1`) and `..` are not followed, so
 * false proves nothing.
 */
export const samePath = (left: string, right: string): boolean => {
  const [one, other] = comparable(left, right);
  return one === other;
};

/** True for a folder, and for what is below it, compared as `samePath` does. */
export const isInFolder = (path: string, folder: string): boolean => {
  const [inner, outer] = comparable(path, folder);
  const root = outer.endsWith('/') ? outer : `${outer}/`;
  return inner === outer || `${inner}/`.startsWith(root);
};
