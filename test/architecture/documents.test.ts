import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const documents = readdirSync(root).filter((name) => name.endsWith('.md'));

/**
 * Returns the paths of this project that a text names: in code style, or as the target of a link.
 */
const pathsIn = (text: string): readonly string[] => {
  const code = [...text.matchAll(/`(?<path>(?:app|main|renderer|test|build)\/[\w./-]+)`/gu)];
  const links = [...text.matchAll(/\]\((?<path>[\w./-]+)\)/gu)];
  return [...code, ...links].map((match) => match.groups?.['path'] ?? '');
};

describe('the documents', () => {
  test('documents exist and name places', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md']));
    expect(documents.flatMap((name) => pathsIn(readFileSync(join(root, name), 'utf8'))).length).toBeGreaterThan(20);
  });

  test.each(documents)('%s names no place that does not exist', (name) => {
    const paths = pathsIn(readFileSync(join(root, name), 'utf8')).filter((path) => !path.startsWith('build/out'));
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
