import { messageOf } from '../../../app/format/error-message.ts';
import { failedParts, readsRight, type ReaderCheck, type Trust } from '../../../app/process/reader-check.ts';
import { sayUnproved } from '../../../app/text/reader-check.ts';
import { inEnglish } from '../../../app/text/say.ts';
import { RecheckSignaller } from './recheck-signaller.ts';
import type { Signaller } from './signaller.ts';
import type { ProcessSource } from './source.ts';

export interface OpenedMachine {
  readonly source: ProcessSource;
  readonly signaller: Signaller;
  readonly trust: Trust;
}

export interface NativeOptions<Kernel> {
  readonly environmentNames: Iterable<string>;
  readonly uid: number;
  /** Makes a reader and a signaller reproduce known facts. */
  readonly check: (input: { readonly source: ProcessSource; readonly signaller: Signaller }) => ReaderCheck;
  /** The kernel, or why there is none; for tests. */
  readonly kernel?: Kernel | { readonly reason: string };
}

/** How the processes of a system are read and signalled by its kernel's own calls. */
export interface NativeMachine<Kernel, Source> {
  readonly reader: string;
  readonly kernel: Kernel | { readonly reason: string };
  readonly open: (kernel: Kernel) => Source;
  readonly signaller: (kernel: Kernel, source: Source) => Signaller;
  /** What takes the place of a reader that reads wrongly. */
  readonly openFallback: () => ProcessSource;
  /** Every known fact was reproduced. */
  readonly proved: (source: Source) => void;
  /** Signals where those of the kernel failed, and the reader reads right. */
  readonly recheck: (signaller: Signaller, source: Source) => Signaller;
}

/**
 * Opens a native reader where it reproduces every known fact. Where it fails in what it reads,
 * another takes its place; where only signals fail, it stays. Either way nothing is ended
 * automatically, and `unproved` says why.
 * @throws ProcessTableUnreadable when neither shows the processes
 */
export const openNative = <Kernel extends object, Source extends ProcessSource>(
  { reader, kernel, open, signaller: openSignaller, openFallback, proved, recheck }: NativeMachine<Kernel, Source>,
  check: NativeOptions<Kernel>['check'],
): OpenedMachine => {
  const fallBack = (found: ReaderCheck): OpenedMachine => {
    const source = openFallback();
    const trust = { checks: [found], unproved: inEnglish(sayUnproved(found, source.name)), fallback: source.name };
    return { source, signaller: new RecheckSignaller(source), trust };
  };
  const notOpened = (found: string): OpenedMachine =>
    fallBack({ reader, parts: [{ part: 'table', ok: false, found }] });
  if ('reason' in kernel) return notOpened(kernel.reason);
  let source: Source;
  try {
    source = open(kernel);
  } catch (error) {
    return notOpened(messageOf(error));
  }
  const signaller = openSignaller(kernel, source);
  const found = check({ source, signaller });
  if (failedParts(found).length === 0 && found.parts.length > 0) {
    proved(source);
    return { source, signaller, trust: { checks: [found], unproved: null } };
  }
  if (!readsRight(found)) return fallBack(found);
  return {
    source,
    signaller: recheck(signaller, source),
    trust: { checks: [found], unproved: inEnglish(sayUnproved(found, null)) },
  };
};
