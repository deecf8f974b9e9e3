/**
 * True if two versions of Curfew are compatible: same major, and before 1.0 same minor version
 * (https://semver.org, 4). False for anything that is not a version.
 */
export const isSameRelease = (own: string, theirs: string): boolean => {
  const parts = (version: string): readonly string[] | null =>
    /^(\d{1,5})\.(\d{1,5})\.\d{1,5}(?:[-+][\w.+-]{1,64})?$/u.exec(version.trim())?.slice(1, 3) ?? null;
  const ours = parts(own);
  const others = parts(theirs);
  if (ours === null || others === null || ours[0] !== others[0]) return false;
  return ours[0] !== '0' || ours[1] === others[1];
};
