import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneUser } from '../../build/scripts/skips.ts';

/** Uid of `nobody` on Debian: the highest one that tests switch to. */
const nobody = 65_534;

const uidMap = readFileSync('/proc/self/uid_map', 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/u).map(Number));

/** True if root here is root of the machine, not only of a user namespace. */
export const isRootOfMachine = process.getuid?.() === 0 && uidMap[0]?.[1] === 0;

/**
 * True if processes here can belong to other users. False in a user namespace with a single id
 * (user_namespaces(7): a line of /proc/self/uid_map is the first id inside, outside, and the
 * count).
 */
export const manyUsers = uidMap.some(([first = 0, , count = 0]) => first <= nobody && nobody < first + count);

/** Why a test of other users is skipped, as the end of its name; empty where there are others. */
export const unlessManyUsers = manyUsers ? '' : ` (SKIPPED: ${oneUser})`;

/** True if this process may create files in this folder. */
export const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * The checkout, or a copy of its programs where other users can't read the checkout
 * (build/scripts/readable-copy.ts): what a test runs as another user is taken from here.
 */
export const readableRoot = process.env['CURFEW_TEST_READABLE'] ?? join(import.meta.dirname, '../..');

/** The Node of the tests, at a place where other users can run it. */
export const readableNode =
  process.env['CURFEW_TEST_READABLE'] === undefined ? process.execPath : join(readableRoot, 'programs/node');
