// What KERN_PROCARGS2 gives of a program, put together as exec_copyout_strings and
// sysctl_procargsx of xnu do it.

/** A started program. */
export interface Started {
  readonly path: string;
  readonly argv: readonly string[];
  readonly env: readonly string[];
}

/** Strings of the kernel behind every environment. */
const kernelStrings = ['pfz=0x7fff', 'stack_guard=0x5ac2', 'malloc_entropy=0x1,0x2', 'ptr_munge=0x7', 'main_stack='];

const nul = (text: string): Buffer => Buffer.concat([Buffer.from(text, 'utf8'), Buffer.from([0])]);

const padded = (bytes: Buffer, to: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)]);

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
  const head = [count, padded(nul(path), 8), words];
  if (hides) return Buffer.concat(head);
  const middle = padded(Buffer.concat([...head.slice(1), ...env.map(nul)]), 8);
  return Buffer.concat([count, middle, ...kernelStrings.map(nul)]);
};
