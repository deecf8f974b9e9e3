import { openPidfds } from './linux/control/pidfd.ts';
import { PidfdSignaller } from './linux/control/pidfd-signaller.ts';
import { RecheckSignaller } from './processes/recheck-signaller.ts';
import type { IdentityReader, Signaller } from './processes/signaller.ts';
import { openWindowsSignaller } from './windows/open-machine.ts';

/**
 * Returns the safest signaller of this machine: pidfds on Linux with koffi and kernel 5.3, else
 * reading the identity again before each signal. Its `mechanism` says which. Identities are read
 * from `source`, always past its caches.
 */
export const openSignaller = (source: IdentityReader): Signaller => {
  if (process.platform === 'win32') return openWindowsSignaller(source) ?? new RecheckSignaller(source);
  if (process.platform !== 'linux') return new RecheckSignaller(source);
  const pidfds = openPidfds();
  return 'reason' in pidfds ? new RecheckSignaller(source) : new PidfdSignaller(pidfds, source);
};

/**
 * Returns a signaller that is opened when it is first asked: for commands that print what they see
 * and signal nothing, because loading koffi takes 12 ms of processor time (Node 24.21, x86-64).
 */
export const openSignallerLate = (source: IdentityReader): Signaller => {
  let opened: Signaller | null = null;
  const signaller = (): Signaller => (opened ??= openSignaller(source));
  return {
    get mechanism() {
      return signaller().mechanism;
    },
    open: (identity) => signaller().open(identity),
  };
};
