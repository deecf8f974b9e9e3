import manifest from '../../package.json' with { type: 'json' };
import { arch, release, version } from 'node:os';
import type { Said } from '../../app/format/said.ts';
import { askedParts, failedParts, passes, type ReaderCheck } from '../../app/process/reader-check.ts';
import { sayUnproved } from '../../app/text/reader-check.ts';
import { inEnglish } from '../../app/text/say.ts';
import { openDarwinMachine } from './darwin/open-machine.ts';
import { LinuxSource } from './linux/source.ts';
import type { OpenedMachine } from './processes/open-native.ts';
import { PortableSource } from './portable/source.ts';
import { loadKoffi } from './native/koffi.ts';
import { selfCheck, type CheckInput } from './self-check/self-check.ts';
import { updateRevision } from './windows/update-revision.ts';
import { openWindowsMachine } from './windows/open-machine.ts';
import { openSignaller, openSignallerLate } from './open-signaller.ts';

/** Self-checks that passed, kept until the system or Curfew is another. */
export interface KeptChecks {
  /** Returns the check that passed under this key, or null. */
  readonly get: (key: string) => ReaderCheck | null;
  readonly keep: (key: string, check: ReaderCheck) => void;
}

export interface MachineOptions {
  /** The allow-list: only these environment variables are ever decoded. */
  readonly environmentNames: Iterable<string>;
  readonly uid: number;
  /** Proves the reader even if it is the only one, as something may be ended automatically. */
  readonly proves: boolean;
  readonly kept: KeptChecks;
  /** Told what the user has to know of a process that can't be read. */
  readonly warn?: (text: Said) => void;
}

/**
 * Names everything on which what a check proved depends: an update of the system, of Curfew or of
 * koffi makes another one necessary. Null where that can't be named: then each start makes one.
 * @param aside calls that may never return are made in threads, and so by other code
 */
export const checkKey = (
  reader: string,
  aside: boolean,
  revision: number | 'none' | null = process.platform === 'win32' ? updateRevision() : 'none',
): string | null => {
  const koffi = loadKoffi();
  if (revision === null) return null;
  const system = `${release()} ${revision} ${version()} ${arch()} ${process.version}`;
  const own = `${manifest.version} ${'reason' in koffi ? 'no koffi' : koffi.version} ${askedParts.join(',')}`;
  return `${reader} ${aside ? 'threads' : 'direct'} ${system} ${own}`;
};

/** Returns the check that passed on this system, or makes it. */
export const checkedOnce = (
  { kept, proves }: Pick<MachineOptions, 'kept' | 'proves'>,
  input: CheckInput,
  key: string | null = checkKey(input.source.name, proves),
): ReaderCheck => {
  const before = key === null ? null : kept.get(key);
  if (before !== null && passes(before)) return before;
  const check = selfCheck(input);
  if (key !== null && passes(check)) kept.keep(key, check);
  return check;
};

const openLinux = (options: MachineOptions): OpenedMachine => {
  const source = new LinuxSource(options);
  if (!options.proves) return { source, signaller: openSignallerLate(source), trust: { checks: [], unproved: null } };
  const signaller = openSignaller(source);
  const check = checkedOnce(options, { source, signaller, mayNotKnowChannels: true });
  const unproved = failedParts(check).length === 0 ? null : inEnglish(sayUnproved(check, null));
  return { source, signaller, trust: { checks: [check], unproved } };
};

/**
 * Opens the processes of this machine. What fails its self-check is not used: then another reader
 * is, where there is one, and nothing is ended automatically.
 * @throws ProcessTableUnreadable when the machine doesn't show its processes
 */
export const openMachine = (options: MachineOptions): OpenedMachine => {
  if (process.platform === 'linux') return openLinux(options);
  if (process.platform === 'darwin')
    return openDarwinMachine({ ...options, check: (input) => checkedOnce(options, input) });
  if (process.platform === 'win32')
    return openWindowsMachine({ ...options, check: (input) => checkedOnce(options, input) });
  const source = new PortableSource(options.uid);
  return { source, signaller: openSignaller(source), trust: { checks: [], unproved: null } };
};
