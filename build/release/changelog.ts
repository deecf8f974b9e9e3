/**
 * Returns the section of a version in CHANGELOG.md, without its heading.
 * @throws Error when there is none, or nothing in it: a release says what is new
 */
export const changelogSection = (text: string, version: string): string => {
  const headings = [...text.matchAll(/^## \[?(?<version>[^\]\s]+)\]?.*$/gmu)];
  const at = headings.findIndex((heading) => heading.groups?.['version'] === version);
  const [heading, next] = [headings[at], headings[at + 1]];
  if (heading === undefined)
    throw new Error(`CHANGELOG.md has no section "## ${version}": rename "## Unreleased" before the release`);
  const section = text.slice(heading.index + heading[0].length, next?.index ?? text.length).trim();
  if (section === '') throw new Error(`The section "## ${version}" of CHANGELOG.md is empty`);
  return `${section}\n`;
};
