import { spawn } from 'node:child_process';

/**
 * Starts a program in its own kernel session, with this environment only, and doesn't wait for it.
 * It outlives this process and holds none of its descriptors. False when it could not be started.
 */
export const startDetached = (
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
): boolean => {
  const [file, ...args] = command;
  const child = spawn(file, args, { cwd: '/', detached: true, stdio: 'ignore', env: { ...environment } });
  // Emitted in a later turn; the missing pid already says so.
  child.on('error', () => undefined);
  child.unref();
  return child.pid !== undefined;
};
