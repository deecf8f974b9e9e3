/** One picture of an icon: a whole PNG, width and height in pixels (1 to 256). */
export interface IcoPicture {
  readonly pixels: number;
  readonly png: Buffer;
}

const headerBytes = 6;
const entryBytes = 16;

/**
 * Returns an .ico of these pictures, each as the PNG that it is, which Windows reads since Vista.
 * https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10)
 */
export const icoOf = (pictures: readonly IcoPicture[]): Buffer => {
  const head = Buffer.alloc(headerBytes + entryBytes * pictures.length);
  // Kind 1: an icon.
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let at = head.length;
  pictures.forEach(({ pixels, png }, index) => {
    const entry = headerBytes + index * entryBytes;
    // 0 stands for 256.
    head.writeUInt8(pixels % 256, entry);
    head.writeUInt8(pixels % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    at += png.length;
  });
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
};

/** Returns the pictures in an .ico, for tests; throws where it is none. */
export const picturesIn = (ico: Buffer): readonly IcoPicture[] => {
  if (ico.readUInt16LE(0) !== 0 || ico.readUInt16LE(2) !== 1) throw new Error('this is no icon');
  return Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const entry = headerBytes + index * entryBytes;
    const at = ico.readUInt32LE(entry + 12);
    const pixels = ico.readUInt8(entry);
    return { pixels: pixels === 0 ? 256 : pixels, png: ico.subarray(at, at + ico.readUInt32LE(entry + 8)) };
  });
};
