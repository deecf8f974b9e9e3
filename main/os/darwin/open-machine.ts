import { openNative, type NativeOptions, type OpenedMachine } from '../processes/open-native.ts';
import { PortableSource } from '../portable/source.ts';
import { RecheckSignaller } from '../processes/recheck-signaller.ts';
import type { ProcessSource } from '../processes/source.ts';
import type { DarwinKernel } from './kernel/kernel.ts';
import { openKoffiKernel } from './kernel/koffi-kernel.ts';
import { withCallsAside } from './kernel/aside.ts';
import { UniqueIdSignaller } from './native/signaller.ts';
import { NativeSource } from './native/source.ts';

export interface DarwinMachineOptions extends NativeOptions<DarwinKernel> {
  /** Something may be ended: no call may hold Curfew up. Mere looks wait, and need no threads. */
  readonly proves?: boolean;
  /** Opens the reader that starts programs; for tests. */
  readonly openFallback?: () => ProcessSource;
}

/**
 * Opens the processes of a Mac, see `openNative`. ps-list, which only reports, takes the place of a
 * reader that fails; where only signals fail, each is sent after reading the process again.
 * @throws ProcessTableUnreadable when neither shows the processes
 */
export const openDarwinMachine = (options: DarwinMachineOptions): OpenedMachine => {
  const { uid, proves = false, openFallback } = options;
  const direct = options.kernel ?? openKoffiKernel();
  return openNative<DarwinKernel, NativeSource>(
    {
      reader: 'libproc',
      kernel: options.kernel === undefined && proves ? withCallsAside(direct) : direct,
      open: (kernel) => new NativeSource({ ...options, kernel }),
      signaller: (kernel, source) => new UniqueIdSignaller(kernel, source),
      openFallback: openFallback ?? (() => new PortableSource(uid)),
      proved: () => undefined,
      recheck: (_signaller, source) => new RecheckSignaller(source),
    },
    options.check,
  );
};
