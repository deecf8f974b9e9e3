// Lets a stand-in start another process by itself: a console, a parent and a folder are inherited
// as they are on any Windows. PROC_THREAD_ATTRIBUTE_PARENT_PROCESS names another parent, but under
// Wine 8 the console is then that of the caller.
import { createFlag, type WindowsCalls } from './native.ts';

/** What CreateProcessW is called with. */
export interface StartOrder {
  readonly file: string;
  readonly line: string;
  readonly folder: string;
  /** `NAME=value`. */
  readonly environment: readonly string[];
  readonly flags: number;
  /** Handles of the starting process for standard output and error; null: none. */
  readonly output: number | null;
}

/** One that was started, or the error of CreateProcessW. */
export type Started = { readonly ok: true; readonly pid: number } | { readonly ok: false; readonly error: number };

const text = (value: string): Buffer => Buffer.from(`${value}\0`, 'utf16le');

/** STARTUPINFOW: its size, where its flags and its handles stand; STARTF_USESTDHANDLES. */
const startupBytes = 104;
const useHandles = 0x100;

const startupOf = ({ output }: StartOrder): Buffer => {
  const bytes = Buffer.alloc(startupBytes);
  bytes.writeUInt32LE(startupBytes, 0);
  if (output === null) return bytes;
  bytes.writeUInt32LE(useHandles, 60);
  for (const offset of [88, 96]) bytes.writeBigInt64LE(BigInt(output), offset);
  return bytes;
};

/** A thread's function: its parameter is the block below, and CreateProcessW is called with it. */
const code = Buffer.from(
  [
    '53', // push rbx
    '4883ec60', // sub rsp, 96
    '4889cb', // mov rbx, rcx
    '488b4b08', // mov rcx, [rbx+8]
    '488b5310', // mov rdx, [rbx+16]
    '4531c04531c9', // xor r8d, r8d; xor r9d, r9d
    '488b43184889442420', // mov rax, [rbx+24]; mov [rsp+32], rax: and so on
    '488b43204889442428',
    '488b43284889442430',
    '488b43304889442438',
    '488b43384889442440',
    '488b43404889442448',
    'ff13', // call [rbx]
    '4883c4605bc3', // add rsp, 96; pop rbx; ret
  ].join(''),
  'hex',
);

const codeRoom = 0x100;
const blockRoom = 0x80;
const informationBytes = 24;
const writableCode = 0x40;
const commit = 0x1000;
const release = 0x8000;
const closeSource = 1;
const patienceMs = 30_000;

/**
 * Lets a process start another.
 * @param starter a handle with every right
 */
export const remoteStart = (calls: WindowsCalls, starter: number, order: StartOrder): Started => {
  const file = text(order.file);
  const line = text(order.line);
  const folder = text(order.folder);
  const environment = text(order.environment.map((entry) => `${entry}\0`).join(''));
  const startup = startupOf(order);
  const information = Buffer.alloc(informationBytes);
  const parts = [file, line, environment, folder, startup, information];
  const room = codeRoom + blockRoom + parts.reduce((sum, { length }) => sum + length + 16, 0);
  const base = calls.reserve(starter, 0, room, commit, writableCode);
  if (base === 0) return { ok: false, error: calls.lastError() };
  let next = codeRoom + blockRoom;
  const addresses = parts.map(({ length }) => {
    const address = base + next;
    next += Math.ceil(length / 16) * 16;
    return address;
  });
  const [fileAt, lineAt, environmentAt, folderAt, startupAt, informationAt] = addresses;
  const block = Buffer.alloc(blockRoom);
  const create = calls.procedure(calls.module('kernel32.dll'), 'CreateProcessW');
  const flags = order.flags | createFlag.unicodeEnvironment;
  [
    create,
    fileAt,
    lineAt,
    order.output === null ? 0 : 1,
    flags,
    environmentAt,
    folderAt,
    startupAt,
    informationAt,
  ].forEach((value, index) => block.writeBigUInt64LE(BigInt(value ?? 0), index * 8));
  const whole = Buffer.alloc(room);
  whole.set(code, 0);
  whole.set(block, codeRoom);
  parts.forEach((part, index) => whole.set(part, (addresses[index] ?? base) - base));
  try {
    if (calls.writeMemory(starter, base, whole, room, null) === 0) return { ok: false, error: calls.lastError() };
    const thread = calls.remoteThread(starter, null, 0, base, base + codeRoom, 0, [0]);
    if (thread === 0) return { ok: false, error: calls.lastError() };
    const ended = calls.wait(thread, patienceMs) === 0;
    calls.close(thread);
    const read = calls.readMemory(starter, informationAt ?? 0, information, informationBytes, null);
    const pid = information.readUInt32LE(16);
    if (!ended || read === 0 || pid === 0) return { ok: false, error: -1 };
    // A held handle would keep the number from being given out again.
    for (const offset of [0, 8])
      calls.duplicate(starter, Number(information.readBigInt64LE(offset)), 0, [0], 0, 0, closeSource);
    return { ok: true, pid };
  } finally {
    calls.release(starter, base, 0, release);
  }
};

/** Starts a process; `parent` is a handle of the one that counts as its parent, or null. */
export const directStart = (calls: WindowsCalls, parent: number | null, order: StartOrder): Started => {
  const list = Buffer.alloc(256);
  const parents = Buffer.alloc(8);
  const startup = Buffer.concat([startupOf(order), Buffer.alloc(8)]);
  startup.writeUInt32LE(startup.length, 0);
  if (parent !== null) {
    parents.writeBigInt64LE(BigInt(parent));
    if (calls.beginAttributes(list, 1, 0, [list.length]) === 0) return { ok: false, error: calls.lastError() };
    if (calls.addAttribute(list, 0, parentProcess, parents, 8, null, null) === 0)
      return { ok: false, error: calls.lastError() };
    startup.writeBigUInt64LE(calls.address(list), startupBytes);
  }
  const environment = text(order.environment.map((entry) => `${entry}\0`).join(''));
  const flags = order.flags | createFlag.unicodeEnvironment | createFlag.extendedStartup;
  const found = Buffer.alloc(informationBytes);
  const [file, line, folder] = [text(order.file), text(order.line), text(order.folder)];
  if (calls.create(file, line, null, null, 0, flags, environment, folder, startup, found) === 0)
    return { ok: false, error: calls.lastError() };
  for (const offset of [0, 8]) calls.close(Number(found.readBigInt64LE(offset)));
  return { ok: true, pid: found.readUInt32LE(16) };
};

/** PROC_THREAD_ATTRIBUTE_PARENT_PROCESS. */
const parentProcess = 0x20000;
