/** More than that of what an agent writes is not looked at, bytes. */
const maxBytes = 4 * 1024 * 1024;

/** What stands on standard input, or nothing where a person sits. */
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
