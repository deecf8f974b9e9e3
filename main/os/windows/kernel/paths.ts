/**
 * Returns a path with forward slashes and a capital drive letter, without the prefixes of the
 * kernel (`\\?\C:\a` becomes `C:/a`, `\\?\UNC\host\a` becomes `//host/a`). Windows takes both
 * slashes, so it stays a path that can be opened.
 */
export const plainPath = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .replace(/^\/(?:\/|\?)\?\/UNC\//iu, '//')
    .replace(/^\/(?:\/|\?)\?\//u, '')
    .replace(/^[a-z]:/u, (drive) => drive.toUpperCase());

/**
 * Returns the path of a program as the rest of Curfew compares them: `plainPath`, the file in small
 * letters and without `.exe`.
 */
export const programPath = (path: string): string => {
  const plain = plainPath(path);
  const at = plain.lastIndexOf('/') + 1;
  return (
    plain.slice(0, at) +
    plain
      .slice(at)
      .toLowerCase()
      .replace(/(?<=.)\.exe$/u, '')
  );
};

/** The same for the name of a program's file. */
export const programFile = (image: string): string => programPath(image).split('/').at(-1) ?? '';
