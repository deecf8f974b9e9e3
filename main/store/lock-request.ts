import { closeSync, constants, existsSync, rmSync } from 'node:fs';
import { openRegularFile } from '../os/files/bounded-read.ts';

/** Beside the lock, so that only the same user can write it. */
const requestPath = (lock: string): string => `${lock}.wanted`;

/**
 * Asks the holder of a supervisor's lock to give it up. Only the child of a machine's service does:
 * the user's own Curfew goes before it.
 * @throws the file system's error
 */
export const requestLock = (lock: string): void =>
  closeSync(openRegularFile(requestPath(lock), constants.O_WRONLY | constants.O_CREAT, 0o600));

/** Returns whether another supervisor asks for this lock. */
export const isLockRequested = (lock: string): boolean => existsSync(requestPath(lock));

/**
 * Removes a request: it was met, given up, or left by a process that is gone.
 * @throws the file system's error
 */
export const forgetLockRequest = (lock: string): void => rmSync(requestPath(lock), { force: true });
