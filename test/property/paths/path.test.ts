import * as fc from 'fast-check';
import { describe, test } from 'vitest';
import {
  baseName,
  fromGitBash,
  isInFolder,
  isWindowsPath,
  plainPath,
  programFile,
  programPath,
  samePath,
} from '../../../app/paths/path.ts';

const part = fc.stringMatching(/^[A-Za-z0-9 ._\u00e4\u00df~()-]{0,6}[A-Za-z0-9]$/u);
const parts = fc.array(part, { minLength: 1, maxLength: 5 });
const drive = fc.constantFrom('C', 'D', 'z');

/** The ways in which one file of a drive is written. */
const written = fc.tuple(drive, parts).chain(([letter, names]) => {
  const ways = [
    `${letter}:\\${names.join('\\')}`,
    `${letter.toLowerCase()}:/${names.join('/')}`,
    `\\\\?\\${letter}:\\${names.join('\\')}`,
    `/${letter.toLowerCase()}/${names.join('/')}`,
    `${letter}:\\${names.join('/')}\\`,
    `${letter}:\\${names.join('\\')}`.toUpperCase().replaceAll('SS', 'ss'),
  ];
  return fc.record({ names: fc.constant(names), one: fc.constantFrom(...ways.slice(0, 3)), ways: fc.constant(ways) });
});

describe('paths of Windows', () => {
  test('every way to write one is the same path', () => {
    fc.assert(
      fc.property(written, ({ one, ways }) =>
        ways.slice(0, 5).every((way) => samePath(one, way) && samePath(way, one)),
      ),
    );
  });

  test('plain once is plain for ever, and a program too', () => {
    fc.assert(
      fc.property(written, ({ ways }) =>
        ways.every(
          (way) => plainPath(plainPath(way)) === plainPath(way) && programPath(programPath(way)) === programPath(way),
        ),
      ),
    );
  });

  test('a program is the same whatever its case, its slashes and its .exe', () => {
    fc.assert(
      fc.property(drive, parts, part, (letter, names, file) => {
        const folder = `${letter}:\\${names.join('\\')}`;
        return programFile(`${folder}\\${file}.EXE`) === programFile(`${folder}/${file.toLowerCase()}.exe`);
      }),
    );
  });

  test('a file is in each of its folders, and in no other drive', () => {
    fc.assert(
      fc.property(written, fc.nat(4), ({ names, one }, count) => {
        const letter = plainPath(one).charAt(0);
        const folder = `${letter}:\\${names.slice(0, count).join('\\')}`;
        const elsewhere = `${letter === 'C' ? 'D' : 'C'}:\\`;
        return isInFolder(one, folder) && !isInFolder(one, elsewhere);
      }),
    );
  });
});

describe('other paths', () => {
  const posix = fc
    .array(fc.string({ unit: fc.constantFrom('a', 'B', '\\', ':', '.exe', ' ', 'c'), maxLength: 6 }), { maxLength: 5 })
    .map((names) => `/${names.join('/')}`);

  test('stay as they are', () => {
    fc.assert(
      fc.property(
        posix,
        (path) =>
          !isWindowsPath(path) &&
          plainPath(path) === path &&
          programPath(path) === path &&
          baseName(path) === path.slice(path.lastIndexOf('/') + 1),
      ),
    );
  });

  test('are the same only letter by letter', () => {
    fc.assert(fc.property(posix, posix, (left, right) => samePath(left, right) === (left === right)));
  });

  test('of Git Bash only where a drive is named', () => {
    fc.assert(fc.property(posix, (path) => fromGitBash(path) === path || /^\/[A-Za-z](?:\/|$)/u.test(path)));
  });
});
