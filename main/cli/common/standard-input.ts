/** At most this many bytes of an agent's input are read. */
const maxBytes = 4 * 1024 * 1024;

/** Returns standard input; empty if it is a terminal. */
export const standardInput = async (): Promise<string> => {
  if (process.stdin.isTTY) return '';
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > maxBytes) break;
  }
  return Buffer.concat(parts).toString('utf8');
};
