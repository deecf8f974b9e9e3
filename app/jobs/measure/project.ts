/**
 * The folder that an agent's name for a project stands for: the working folder or the nearest
 * folder above it whose path, with everything but letters and digits as `-`, is that name. The name
 * alone can't be turned back (`/a-b` and `/a/b` are one). null when none fits.
 */
export const folderOfSlug = (slug: string, workingFolder: string): string | null => {
  let folder = workingFolder;
  while (folder !== '') {
    if (folder.replaceAll(/[^A-Za-z0-9]/g, '-') === slug) return folder;
    folder = folder.slice(0, folder.lastIndexOf('/'));
  }
  return null;
};
