// What KERN_PROCARGS2 gives of a program, put together as exec_copyout_strings and
// sysctl_procargsx of xnu do it.

/** A started program. */
export interface Started {
  readonly path: string;
  readonly argv: readonly string[];
  readonly env: readonly string[];
}

/** Strings of the kernel behind every environment. */
export const kernelStrings = [
  'pfz=0x7fff',
  'stack_guard=0x5ac2',
  'malloc_entropy=0x1,0x2',
  'ptr_munge=0x7',
  'main_stack=',
];

const nul = (text: string): Buffer => Buffer.concat([Buffer.from(text, 'utf8'), Buffer.from([0])]);

const padded = (bytes: Buffer, to: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)]);

/**
 * Leaves out what stands behind the path and so many strings, as the kernel counts them: an empty
 * first argument counts as padding of the path, and then one string more is shown.
 */
const withoutRest = (all: Buffer, count: number): Buffer => {
  let end = all.indexOf(0);
  while (end < all.length && all[end] === 0) end += 1;
  for (let seen = 0; seen < count && end < all.length; seen += 1) end = all.indexOf(0, end) + 1;
  return all.subarray(0, end);
};

/**
 * @param hides the kernel leaves out everything behind the arguments
 * @param title written over the arguments by the program itself, as libuv does
 */
export const argumentArea = ({ path, argv, env }: Started, hides: boolean, title?: string): Buffer => {
  const count = Buffer.alloc(4);
  count.writeInt32LE(argv.length, 0);
  const words = Buffer.concat(argv.map(nul));
  if (title !== undefined) {
    const text = Buffer.from(title, 'utf8').subarray(0, Math.max(0, words.length - 1));
    words.fill(0);
    text.copy(words);
  }
  const strings = padded(Buffer.concat([padded(nul(path), 8), words, ...env.map(nul)]), 8);
  const all = Buffer.concat([strings, ...kernelStrings.map(nul)]);
  return Buffer.concat([count, hides ? withoutRest(all, argv.length) : all]);
};
