import { basicInformation, parameters, pebBeingDebugged, pebParameters, unicodeString } from './layouts.ts';
import { processClass, type Handle, type WindowsKernel } from './kernel.ts';
import { environmentIn, type BlockContent, type BlockNames } from './environment-block.ts';

export interface ProcessParameters {
  /** Null: it could not be read. */
  readonly commandLine: string | null;
  readonly folder: string | null;
  /** `markers` null: it could not be read. */
  readonly environment: BlockContent;
  /** Handles of its standard input, output and error. 0 for none. */
  readonly standard: readonly [bigint, bigint, bigint];
  readonly console: boolean;
  /** Its own memory says that a debugger holds it. */
  readonly beingDebugged: boolean;
}

type Reader = Pick<WindowsKernel, 'process' | 'memory'>;

/** A longer environment is unknown. */
const maxEnvironmentBytes = 1 << 20;

const unknownBlock: BlockContent = { markers: null, bare: false };

/** Handles of consoles that stand for none: detached, and what is never used by then. */
const noConsoles: ReadonlySet<bigint> = new Set([0n, 0xffff_ffff_ffff_ffffn]);

/** Returns the text of a UNICODE_STRING in the parameters; null where it can't be read. */
const textAt = (kernel: Reader, handle: Handle, bytes: Buffer, at: number): string | null => {
  const length = bytes.readUInt16LE(at + unicodeString.bytes);
  const pointer = bytes.readBigUInt64LE(at + unicodeString.pointer);
  if (length === 0) return '';
  if (length % 2 !== 0 || pointer === 0n) return null;
  return kernel.memory(handle, pointer, length)?.toString('utf16le') ?? null;
};

const environmentOf = (kernel: Reader, handle: Handle, bytes: Buffer, names: BlockNames): BlockContent => {
  const pointer = bytes.readBigUInt64LE(parameters.environment);
  const length = bytes.readBigUInt64LE(parameters.environmentBytes);
  if (pointer === 0n || length < 2n || length > BigInt(maxEnvironmentBytes)) return unknownBlock;
  const block = kernel.memory(handle, pointer, Number(length));
  return block === null ? unknownBlock : environmentIn(block, names);
};

/**
 * Reads the parameters of a process out of its memory. Null where that may not be read: other
 * users', elevated and protected processes, or one that has ended or only just begins.
 */
export const readParameters = (kernel: Reader, handle: Handle, names: BlockNames): ProcessParameters | null => {
  const basic = kernel.process(handle, processClass.basic, basicInformation.size);
  if (basic.status !== 0 || basic.bytes.length < basicInformation.size) return null;
  const peb = basic.bytes.readBigUInt64LE(basicInformation.peb);
  if (peb === 0n) return null;
  const pointer = kernel.memory(handle, peb + BigInt(pebParameters), 8)?.readBigUInt64LE(0) ?? 0n;
  const bytes = pointer === 0n ? null : kernel.memory(handle, pointer, parameters.size);
  if (bytes === null) return null;
  const [input, output, error] = parameters.standard.map((at) => bytes.readBigUInt64LE(at)) as [bigint, bigint, bigint];
  const commandLine = textAt(kernel, handle, bytes, parameters.commandLine);
  return {
    commandLine: commandLine === '' ? null : commandLine,
    folder: textAt(kernel, handle, bytes, parameters.folder),
    environment: environmentOf(kernel, handle, bytes, names),
    standard: [input, output, error],
    console: !noConsoles.has(bytes.readBigUInt64LE(parameters.console)),
    beingDebugged: kernel.memory(handle, peb + BigInt(pebBeingDebugged), 1)?.readUInt8(0) !== 0,
  };
};

/** Reads a command line by its own class (Windows 8.1), with fewer rights; null: can't. */
export const readCommandLine = (kernel: Reader, handle: Handle): string | null => {
  const { status, bytes, address } = kernel.process(handle, processClass.commandLine, 70_000);
  return status === 0 ? unicodeStringIn(bytes, address) : null;
};

/** Returns the text of a UNICODE_STRING at the start of an answer that holds the text as well. */
export const unicodeStringIn = (bytes: Buffer, address: bigint): string | null => {
  if (bytes.length < unicodeString.size) return null;
  const length = bytes.readUInt16LE(unicodeString.bytes);
  const at = bytes.readBigUInt64LE(unicodeString.pointer) - address;
  if (length === 0 || length % 2 !== 0 || at < 0n || at + BigInt(length) > BigInt(bytes.length)) return null;
  return bytes.toString('utf16le', Number(at), Number(at) + length);
};
