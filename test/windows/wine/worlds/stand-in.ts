// Makes the program that stands in for every other one in a world under Wine: under any name, with
// any arguments, it counts up and sleeps, for ever. Made here byte by byte, because a compiler for
// Windows would be 360 MB; it starts in a sixth of Node's time. Its layout:
// https://learn.microsoft.com/windows/win32/debug/pe-format

/** Where it is loaded: it can't be moved. */
const base = 0x1_4000_0000;

/** Addresses below the base. */
const at = {
  code: 0x1000,
  counter: 0x1080,
  imports: 0x1100,
  names: 0x1140,
  addresses: 0x1160,
  sleep: 0x1180,
  library: 0x11a0,
  end: 0x2000,
} as const;

/** Where each stand-in counts up, in its own memory: 32 bits. */
export const counterAddress = base + at.counter;

const headerBytes = 0x200;
const sectionBytes = 0x400;
const fileHeaders = 0x40;
const machine = fileHeaders + 4;
const optional = machine + 20;
const directories = optional + 112;
const section = optional + 240;

const inFile = (address: number): number => address - at.code + headerBytes;

const writeHeaders = (file: Buffer): void => {
  const u16 = (value: number, offset: number): unknown => file.writeUInt16LE(value, offset);
  const u32 = (value: number, offset: number): unknown => file.writeUInt32LE(value, offset);
  const u64 = (value: number, offset: number): unknown => file.writeBigUInt64LE(BigInt(value), offset);
  file.write('MZ', 0);
  u32(fileHeaders, 0x3c);
  file.write('PE\0\0', fileHeaders);
  u16(0x8664, machine);
  u16(1, machine + 2);
  u16(section - optional, machine + 16);
  // It can't be moved, it is a program, for 64 bits.
  u16(0x23, machine + 18);
  u16(0x20b, optional);
  u32(sectionBytes, optional + 4);
  u32(at.code, optional + 16);
  u32(at.code, optional + 20);
  u64(base, optional + 24);
  u32(0x1000, optional + 32);
  u32(headerBytes, optional + 36);
  // Of Windows 6.0, in a console, without a stack in which code can run.
  u16(6, optional + 40);
  u16(6, optional + 48);
  u32(at.end, optional + 56);
  u32(headerBytes, optional + 60);
  u16(3, optional + 68);
  u16(0x8100, optional + 70);
  for (const [index, bytes] of [0x10000, 0x1000, 0x10000, 0x1000].entries()) u64(bytes, optional + 72 + index * 8);
  u32(16, optional + 108);
  u32(at.imports, directories + 8);
  u32(40, directories + 12);
  file.write('.text', section);
  u32(sectionBytes, section + 8);
  u32(at.code, section + 12);
  u32(sectionBytes, section + 16);
  u32(headerBytes, section + 20);
  // Code and data, to be read, written and run.
  u32(0xe0000060, section + 36);
};

const writeImports = (file: Buffer): void => {
  file.writeUInt32LE(at.names, inFile(at.imports));
  file.writeUInt32LE(at.library, inFile(at.imports) + 12);
  file.writeUInt32LE(at.addresses, inFile(at.imports) + 16);
  for (const list of [at.names, at.addresses]) file.writeBigUInt64LE(BigInt(at.sleep), inFile(list));
  file.write('Sleep\0', inFile(at.sleep) + 2, 'latin1');
  file.write('kernel32.dll\0', inFile(at.library), 'latin1');
};

/** `for (;;) { counter += 1; Sleep(100); }` */
const writeCode = (file: Buffer): void => {
  let next: number = at.code;
  const emit = (...bytes: readonly number[]): void => {
    file.set(bytes, inFile(next));
    next += bytes.length;
  };
  const emitDistance = (target: number): void => {
    file.writeInt32LE(target - (next + 4), inFile(next));
    next += 4;
  };
  // sub rsp, 40
  emit(0x48, 0x83, 0xec, 0x28);
  const loop = next;
  // lock inc dword [counter]
  emit(0xf0, 0xff, 0x05);
  emitDistance(at.counter);
  // mov ecx, 100
  emit(0xb9, 100, 0, 0, 0);
  // call [Sleep]
  emit(0xff, 0x15);
  emitDistance(at.addresses);
  // jmp loop
  emit(0xeb, (loop - (next + 2)) & 0xff);
};

/** Returns the bytes of the stand-in. */
export const standIn = (): Buffer => {
  const file = Buffer.alloc(headerBytes + sectionBytes);
  writeHeaders(file);
  writeImports(file);
  writeCode(file);
  return file;
};
