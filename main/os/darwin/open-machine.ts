import { messageOf } from '../../../app/format/error-message.ts';
import { failedParts, readsRight, type ReaderCheck, type Trust } from '../../../app/process/reader-check.ts';
import { sayUnproved } from '../../../app/text/machine/reader-check.ts';
import { RecheckSignaller } from '../processes/recheck-signaller.ts';
import type { Signaller } from '../processes/signaller.ts';
import type { ProcessSource } from '../processes/source.ts';
import type { DarwinKernel } from './kernel/kernel.ts';
import { openKoffiKernel } from './kernel/koffi-kernel.ts';
import { withCallsAside } from './kernel/open-aside.ts';
import { UniqueIdSignaller } from './native/signaller.ts';
import { NativeSource } from './native/source.ts';
import { DarwinSource } from './ps/source.ts';

/** What macOS is opened with. */
export interface DarwinMachineOptions {
  readonly environmentNames: Iterable<string>;
  readonly uid: number;
  /** Makes a reader and a signaller reproduce known facts. */
  readonly check: (input: { readonly source: ProcessSource; readonly signaller: Signaller }) => ReaderCheck;
  /**
   * Something may be ended: then no call may hold Curfew up. What only looks is over before threads
   * have begun, and waits for each call.
   */
  readonly proves?: boolean;
  /** The kernel, or why there is none; for tests. */
  readonly kernel?: DarwinKernel | { readonly reason: string };
  /** Opens the reader that starts programs; for tests. */
  readonly openFallback?: () => ProcessSource;
}

/** The processes of a Mac, see `OpenedMachine`. */
export interface DarwinMachine {
  readonly source: ProcessSource;
  readonly signaller: Signaller;
  readonly trust: Trust;
}

const notOpened = (found: string): ReaderCheck => ({ reader: 'libproc', parts: [{ part: 'table', ok: false, found }] });

/**
 * Opens the native reader where it reproduces every known fact. Where it fails in what it reads, ps
 * and lsof take its place; where only signals fail, each is sent after reading the process again.
 * Either way nothing is ended automatically, and `unproved` says why.
 * @throws ProcessTableUnreadable when neither shows the processes
 */
export const openDarwinMachine = (options: DarwinMachineOptions): DarwinMachine => {
  const direct = options.kernel ?? openKoffiKernel();
  const kernel = options.kernel === undefined && options.proves === true ? withCallsAside(direct) : direct;
  const fallBack = (check: ReaderCheck): DarwinMachine => {
    const source =
      options.openFallback?.() ?? new DarwinSource({ environmentNames: options.environmentNames, uid: options.uid });
    return {
      source,
      signaller: new RecheckSignaller(source),
      trust: { checks: [check], unproved: sayUnproved(check, source.name), fallback: source.name },
    };
  };
  if ('reason' in kernel) return fallBack(notOpened(kernel.reason));
  let source: NativeSource;
  try {
    source = new NativeSource({ ...options, kernel });
  } catch (error) {
    return fallBack(notOpened(messageOf(error)));
  }
  const signaller = new UniqueIdSignaller(kernel, source);
  const check = options.check({ source, signaller });
  if (failedParts(check).length === 0 && check.parts.length > 0)
    return { source, signaller, trust: { checks: [check], unproved: null } };
  if (!readsRight(check)) return fallBack(check);
  return {
    source,
    signaller: new RecheckSignaller(source),
    trust: { checks: [check], unproved: sayUnproved(check, null) },
  };
};
