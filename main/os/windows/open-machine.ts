import { openNative, type NativeOptions, type OpenedMachine } from '../processes/open-native.ts';
import { PortableSource } from '../portable/source.ts';
import type { IdentityReader, Signaller } from '../processes/signaller.ts';
import type { WindowsKernel } from './kernel/kernel.ts';
import { openKoffiKernel } from './kernel/koffi-kernel.ts';
import { HelperAsker } from '../console/asker.ts';
import { HandleSignaller } from './native/signaller.ts';
import { NativeSource } from './native/source.ts';

export interface WindowsMachineOptions extends NativeOptions<WindowsKernel> {
  /** Curfew's own pid; for tests. */
  readonly ownPid?: number;
}

export const handleSignaller = (kernel: WindowsKernel, source: NativeSource): Signaller =>
  new HandleSignaller(kernel, source, new HelperAsker(source));

/**
 * Opens the processes of a Windows machine, see `openNative`. ps-list, which only reports, takes
 * the place of a reader that fails. Where only signals fail, nothing is ended at all.
 */
export const openWindowsMachine = (options: WindowsMachineOptions): OpenedMachine =>
  openNative<WindowsKernel, NativeSource>(
    {
      reader: 'ntdll',
      kernel: options.kernel ?? openKoffiKernel(),
      open: (kernel) => new NativeSource({ ...options, kernel }),
      signaller: handleSignaller,
      openFallback: () => new PortableSource(options.uid),
      proved: (source) => source.prove(),
      recheck: (signaller) => signaller,
    },
    options.check,
  );

/** Returns the signaller of this machine where koffi is there; null where it is not. */
export const openWindowsSignaller = (reader: IdentityReader): Signaller | null => {
  const kernel = openKoffiKernel();
  if ('reason' in kernel) return null;
  const knowledge = reader instanceof NativeSource ? reader : { hasConsole: () => true, consoleMates: () => [] };
  return new HandleSignaller(kernel, reader, new HelperAsker(knowledge));
};
