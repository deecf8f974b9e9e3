/**
 * True when two versions of Curfew understand each other: the same major, and before 1.0 the same minor version (https://semver.org, 4).
 * Anything that is no version is none.
 */
export const isSameRelease = (own: string, theirs: string): boolean => {
  const parts = (version: string): readonly string[] | null =>
    /^(\d{1,5})\.(\d{1,5})\.\d{1,5}(?:[-+][\w.+-]{1,64})?$/u.exec(version.trim())?.slice(1, 3) ?? null;
  const ours = parts(own);
  const others = parts(theirs);
  if (ours === null || others === null || ours[0] !== others[0]) return false;
  return ours[0] !== '0' || ours[1] === others[1];
};
