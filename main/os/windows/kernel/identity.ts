import { basicInformation, processTimes, sid } from './layouts.ts';
import { ntStatus, processClass, tokenClass, type Handle, type WindowsKernel } from './kernel.ts';
import { unicodeStringIn } from './process-parameters.ts';
import { ticksOf } from '../../processes/file-time.ts';

export interface ProcessTimes {
  readonly startTicks: number;
  readonly ended: boolean;
  readonly cpuMs: number;
}

/** Returns the times in an answer; null where they can't be. Never throws. */
const timesIn = (bytes: Buffer): ProcessTimes | null => {
  if (bytes.length < processTimes.size) return null;
  const startTicks = ticksOf(bytes.readBigUInt64LE(processTimes.created));
  if (startTicks === null) return null;
  const cpu = bytes.readBigUInt64LE(processTimes.kernel) + bytes.readBigUInt64LE(processTimes.user);
  return { startTicks, ended: bytes.readBigUInt64LE(processTimes.ended) !== 0n, cpuMs: Number(cpu / 10_000n) };
};

/** Returns the times of the process of a handle; null where they can't be read. */
export const readTimes = (kernel: Pick<WindowsKernel, 'process'>, handle: Handle): ProcessTimes | null => {
  const { status, bytes } = kernel.process(handle, processClass.times, processTimes.size);
  return status === 0 ? timesIn(bytes) : null;
};

/** Returns the recorded parent of the process of a handle; null where it can't be read. */
export const readParent = (kernel: Pick<WindowsKernel, 'process'>, handle: Handle): number | null => {
  const { status, bytes } = kernel.process(handle, processClass.basic, basicInformation.size);
  if (status !== 0 || bytes.length < basicInformation.size) return null;
  const parent = bytes.readBigUInt64LE(basicInformation.parent);
  return parent > 0xffff_ffffn ? null : Number(parent);
};

/** Returns the path of a program (`C:\…`); null where unknown. */
export const readImage = (kernel: Pick<WindowsKernel, 'process'>, handle: Handle): string | null => {
  const { status, bytes, address } = kernel.process(handle, processClass.imageName, 70_000);
  return status === 0 ? unicodeStringIn(bytes, address) : null;
};

/** Returns the SID in a TOKEN_USER as text of its bytes; null where there is none. Never throws. */
export const sidIn = (bytes: Buffer): string | null => {
  const at = sid.inTokenUser;
  if (bytes.length < at + sid.header) return null;
  const count = bytes.readUInt8(at + sid.count);
  const end = at + sid.header + 4 * count;
  if (bytes.readUInt8(at) !== 1 || count === 0 || count > sid.maxCount || end > bytes.length) return null;
  return bytes.toString('hex', at, end);
};

/** Whose a process is: its user, and whether it has rights that this user's others have not. */
export interface Holder {
  readonly user: string;
  readonly elevated: boolean;
  /** Integrity level, the last sub-authority of its SID. */
  readonly integrity: number;
}

/** Returns the integrity level in a TOKEN_MANDATORY_LABEL; null where there is none. */
const integrityIn = (bytes: Buffer): number | null => {
  const found = sidIn(bytes);
  return found === null ? null : Buffer.from(found, 'hex').readUInt32LE(found.length / 2 - 4);
};

/** Returns the login session of the process of a handle; null where it is not told. */
export const readLoginSession = (kernel: Pick<WindowsKernel, 'process'>, handle: Handle): number | null => {
  const { status, bytes } = kernel.process(handle, processClass.session, 4);
  return status === ntStatus.success && bytes.length >= 4 ? bytes.readUInt32LE(0) : null;
};

/** Returns whose the process of a handle is; null where its token is closed to this user. */
export const readHolder = (kernel: Pick<WindowsKernel, 'token'>, handle: Handle): Holder | null => {
  const user = kernel.token(handle, tokenClass.user);
  const found = user === null ? null : sidIn(user);
  const elevation = kernel.token(handle, tokenClass.elevation);
  const label = kernel.token(handle, tokenClass.integrity);
  const integrity = label === null ? null : integrityIn(label);
  if (found === null || elevation === null || elevation.length < 4 || integrity === null) return null;
  return { user: found, elevated: elevation.readUInt32LE(0) !== 0, integrity };
};

/** What systems answer that have no such question (Wine 8): then nothing is of that kind there. */
const notThere: ReadonlySet<number> = new Set([ntStatus.noSuchClass, ntStatus.notImplemented, ntStatus.notSupported]);

/** Returns the number in an answer; 0 where the system has no such question, null for no answer. */
const told = (
  kernel: Pick<WindowsKernel, 'process'>,
  handle: Handle,
  informationClass: number,
  bytes: 1 | 4 | 8,
): number | null => {
  const answer = kernel.process(handle, informationClass, bytes);
  if (notThere.has(answer.status)) return 0;
  if (answer.status !== ntStatus.success || answer.bytes.length < bytes) return null;
  if (bytes === 8) return answer.bytes.readBigUInt64LE(0) === 0n ? 0 : 1;
  return answer.bytes.readUIntLE(0, bytes);
};

/**
 * True for a process that this user may not end: critical for the system, or protected; and where
 * the system does not answer. Where it has no such question (Wine), it is neither. No process that
 * the self-check can ask about is critical, so that is asked in two ways, and either is believed.
 */
export const isShielded = (kernel: Pick<WindowsKernel, 'process' | 'isCritical'>, handle: Handle): boolean => {
  const isCritical = kernel.isCritical(handle);
  return (
    (isCritical !== false && isCritical !== undefined) ||
    told(kernel, handle, processClass.breakOnTermination, 4) !== 0 ||
    told(kernel, handle, processClass.protection, 1) !== 0
  );
};

/** Whether a debugger holds it; null where that can't be told. Needs the right to query. */
export const readDebugged = (kernel: Pick<WindowsKernel, 'process'>, handle: Handle): boolean | null => {
  const port = told(kernel, handle, processClass.debugPort, 8);
  return port === null ? null : port !== 0;
};
