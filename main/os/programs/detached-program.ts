import { spawn } from 'node:child_process';
import { noWindow, ownWindow } from './child-window.ts';

/**
 * Starts a program in its own kernel session, with this environment only, and doesn't wait for it.
 * It outlives this process and holds none of its descriptors. False when it could not be started.
 * @param windows whether it is to show any
 */
export const startDetached = (
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
  windows: 'shown' | 'none' = 'none',
): boolean => {
  const [file, ...args] = command;
  const options = { cwd: '/', detached: true, stdio: 'ignore', env: { ...environment } } as const;
  const child = spawn(file, args, { ...options, ...(windows === 'shown' ? ownWindow : noWindow) });
  // Emitted in a later turn; the missing pid already says so.
  child.on('error', () => undefined);
  child.unref();
  return child.pid !== undefined;
};
