import { accessSync, constants, readFileSync } from 'node:fs';

/** `nobody` of Debian: the highest user that tests become. */
const nobody = 65_534;

const uidMap = readFileSync('/proc/self/uid_map', 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/u).map(Number));

/** Whether root here is root of the machine, and not of a user namespace only. */
export const isRootOfMachine = process.getuid?.() === 0 && uidMap[0]?.[1] === 0;

/**
 * Whether processes here can be other users'. Not in a user namespace that has only one
 * (user_namespaces(7): a line of /proc/self/uid_map is the first id inside, outside, and how many).
 */
export const manyUsers = uidMap.some(([first = 0, , count = 0]) => first <= nobody && nobody < first + count);

/** Whether we may make something in this folder. */
export const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};
