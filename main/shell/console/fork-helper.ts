import { utilityProcess } from 'electron';
import { helperTimeoutMs, helperWords, type StartHelper } from '../../os/console/asker.ts';

/**
 * Returns how the desktop app starts the helper: Electron's program is no Node, but it runs a
 * module of the app in another process, which has no console of its own
 * (https://www.electronjs.org/docs/latest/api/utility-process). It does not wait: the app's loop
 * starts the process.
 * @param module the built helper
 */
export const forkedHelper =
  (module: string): StartHelper =>
  (members) => {
    const options = { serviceName: 'Curfew console helper', stdio: 'ignore' } as const;
    const child = utilityProcess.fork(module, [...helperWords(members)], options);
    const tooLong = setTimeout(() => child.kill(), helperTimeoutMs);
    child.once('exit', () => clearTimeout(tooLong));
    return 'on-its-way';
  };
