/** Where the one section begins in the file, and where in memory. */
const inFile = 0x200;
const inMemory = 0x1000;

/** A field of a header: where it begins, its bytes, its value. */
type Field = readonly [offset: number, bytes: 2 | 4 | 8, value: number];

const write = (into: Buffer, at: number, fields: readonly Field[]): void => {
  for (const [offset, bytes, value] of fields) {
    if (bytes === 8) into.writeBigUInt64LE(BigInt(value), at + offset);
    else into.writeUIntLE(value, at + offset, bytes);
  }
};

/**
 * Returns a library for 64-bit Windows that has one function and no code: the loader takes the
 * function of another library for it, `library.function`
 * (https://learn.microsoft.com/windows/win32/debug/pe-format#export-address-table). So no compiler
 * for Windows is needed, which takes 358 MB.
 */
export const forwardingDll = (name: string, exported: string, to: string): Buffer => {
  const texts = [name, exported, to].map((text) => Buffer.from(`${text}\0`, 'latin1'));
  const tables = 0x40;
  // The directory, three tables of one row, and the texts behind them.
  const starts: number[] = [];
  let size = tables;
  for (const text of texts) {
    starts.push(inMemory + size);
    size += text.length;
  }
  const [nameAt = 0, exportedAt = 0, toAt = 0] = starts;
  const dll = Buffer.alloc(inFile + 0x200);
  if (size > 0x200) throw new Error(`the names of ${name} are too long for one section`);
  const pe = 0x40;
  const optional = pe + 24;
  dll.write('MZ', 0, 'latin1');
  write(dll, 0, [[0x3c, 4, pe]]);
  dll.write('PE', pe, 'latin1');
  // A 64-bit processor, one section, a library.
  write(dll, pe, [
    [4, 2, 0x8664],
    [6, 2, 1],
    [20, 2, 0xf0],
    [22, 2, 0x2022],
  ]);
  write(dll, optional, [
    [0, 2, 0x20b],
    [24, 8, 0x1_8000_0000],
    [32, 4, 0x1000],
    [36, 4, 0x200],
    [40, 2, 6],
    [48, 2, 6],
    [56, 4, inMemory + 0x1000],
    [60, 4, inFile],
    [68, 2, 3],
    [108, 4, 16],
    // The directory of exports; a text inside its bounds is the name of another library's function.
    [112, 4, inMemory],
    [116, 4, size],
  ]);
  const section = optional + 0xf0;
  dll.write('.edata', section, 'latin1');
  write(dll, section, [
    [8, 4, size],
    [12, 4, inMemory],
    [16, 4, 0x200],
    [20, 4, inFile],
    // Initialised data that can be read.
    [36, 4, 0x4000_0040],
  ]);
  write(dll, inFile, [
    [12, 4, nameAt],
    [16, 4, 1],
    [20, 4, 1],
    [24, 4, 1],
    [28, 4, inMemory + 0x28],
    [32, 4, inMemory + 0x2c],
    [36, 4, inMemory + 0x30],
    [0x28, 4, toAt],
    [0x2c, 4, exportedAt],
    [0x30, 2, 0],
  ]);
  for (const [index, text] of texts.entries()) text.copy(dll, inFile + (starts[index] ?? 0) - inMemory);
  return dll;
};
