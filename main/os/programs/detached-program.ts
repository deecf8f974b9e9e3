import { spawn } from 'node:child_process';

/**
 * Starts a program in a kernel session of its own, with this environment and no other, and doesn't wait for it. It outlives this
 * process and holds none of its descriptors. False when it could not be started.
 */
export const startDetached = (
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
): boolean => {
  const [file, ...args] = command;
  const child = spawn(file, args, { cwd: '/', detached: true, stdio: 'ignore', env: { ...environment } });
  // Told in a later turn; that there is no pid says the same at once.
  child.on('error', () => undefined);
  child.unref();
  return child.pid !== undefined;
};
