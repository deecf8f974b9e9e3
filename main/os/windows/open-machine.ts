import { messageOf } from '../../../app/format/error-message.ts';
import { failedParts, readsRight, type ReaderCheck, type Trust } from '../../../app/process/reader-check.ts';
import { sayUnproved } from '../../../app/text/machine/reader-check.ts';
import { PortableSource } from '../portable/source.ts';
import { RecheckSignaller } from '../processes/recheck-signaller.ts';
import type { IdentityReader, Signaller } from '../processes/signaller.ts';
import type { ProcessSource } from '../processes/source.ts';
import type { WindowsKernel } from './kernel/kernel.ts';
import { openKoffiKernel } from './kernel/koffi-kernel.ts';
import { HelperAsker } from './native/console-asker.ts';
import { HandleSignaller } from './native/signaller.ts';
import { NativeSource } from './native/source.ts';

/** What Windows is opened with. */
export interface WindowsMachineOptions {
  readonly environmentNames: Iterable<string>;
  readonly uid: number;
  /** Makes a reader and a signaller reproduce known facts. */
  readonly check: (input: { readonly source: ProcessSource; readonly signaller: Signaller }) => ReaderCheck;
  /** The kernel, or why there is none; for tests. */
  readonly kernel?: WindowsKernel | { readonly reason: string };
  /** Curfew's own pid; for tests. */
  readonly ownPid?: number;
}

/** The processes of a Windows machine, see `OpenedMachine`. */
export interface WindowsMachine {
  readonly source: ProcessSource;
  readonly signaller: Signaller;
  readonly trust: Trust;
}

const notOpened = (found: string): ReaderCheck => ({ reader: 'ntdll', parts: [{ part: 'table', ok: false, found }] });

/** Returns the signaller that goes with a native reader. */
export const handleSignaller = (kernel: WindowsKernel, source: NativeSource): Signaller =>
  new HandleSignaller(kernel, source, new HelperAsker(source));

/**
 * Opens the native reader where it reproduces every known fact. Where it fails in what it reads,
 * ps-list takes its place, which only reports. Where only signals fail, nothing is ended at all,
 * and `unproved` says why.
 */
export const openWindowsMachine = (options: WindowsMachineOptions): WindowsMachine => {
  const kernel = options.kernel ?? openKoffiKernel();
  const fallBack = (check: ReaderCheck): WindowsMachine => {
    const source = new PortableSource(options.uid);
    return {
      source,
      signaller: new RecheckSignaller(source),
      trust: { checks: [check], unproved: sayUnproved(check, source.name) },
    };
  };
  if ('reason' in kernel) return fallBack(notOpened(kernel.reason));
  let source: NativeSource;
  try {
    source = new NativeSource({ ...options, kernel });
  } catch (error) {
    return fallBack(notOpened(messageOf(error)));
  }
  const signaller = handleSignaller(kernel, source);
  const check = options.check({ source, signaller });
  if (failedParts(check).length === 0 && check.parts.length > 0) {
    source.prove();
    return { source, signaller, trust: { checks: [check], unproved: null } };
  }
  if (!readsRight(check)) return fallBack(check);
  return { source, signaller, trust: { checks: [check], unproved: sayUnproved(check, null) } };
};

/** Returns the signaller of this machine where koffi is there; null where it is not. */
export const openWindowsSignaller = (reader: IdentityReader): Signaller | null => {
  const kernel = openKoffiKernel();
  if ('reason' in kernel) return null;
  const knowledge = reader instanceof NativeSource ? reader : { hasConsole: () => true, consoleMates: () => [] };
  return new HandleSignaller(kernel, reader, new HelperAsker(knowledge));
};
