import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dirname, join as joined } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { filesIn, project as root } from './planted.ts';

const documents = filesIn(root, '{*.md,{app,main,renderer,docs,test,build}/**/*.md}');

/** Paths of this project that a text names: in code style, or as the target of a link. */
const pathsIn = (name: string, text: string): readonly string[] => {
  const code = [...text.matchAll(/`(?<path>(?:app|main|renderer|test|build|docs)\/[\w./-]+)`/gu)];
  const links = [...text.matchAll(/\]\((?<path>[\w./-]+)\)/gu)];
  return [
    ...code.map((match) => match.groups?.['path'] ?? ''),
    // A link counts from the folder of its document.
    ...links.map((match) => joined(dirname(name), match.groups?.['path'] ?? '')),
  ];
};

describe('the documents', () => {
  test('documents exist and name places', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md']));
    expect(documents.flatMap((name) => pathsIn(name, readFileSync(join(root, name), 'utf8'))).length).toBeGreaterThan(
      20,
    );
  });

  test.each(documents)('%s names no place that does not exist', (name) => {
    const paths = pathsIn(name, readFileSync(join(root, name), 'utf8')).filter((path) => !path.startsWith('build/out'));
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('the README takes two minutes: at most 800 words', () => {
    const words = readFileSync(join(root, 'README.md'), 'utf8').split(/\s+/u).filter(Boolean);
    expect(words.length).toBeLessThanOrEqual(800);
  });

  test('what a newcomer reads besides has at most 15,000 words; records are apart', () => {
    const read = documents.filter((name) => /^(?:docs\/(?:contributing\/)?[^/]+|CONTRIBUTING)\.md$/u.test(name));
    const words = read.flatMap((name) => readFileSync(join(root, name), 'utf8').split(/[\s|]+/u));
    expect(words.filter((word) => /[a-z\d]/iu.test(word)).length).toBeLessThanOrEqual(15_000);
  });
});
