/**
 * Longest message that is taken, bytes. A client sends a few words; to check a million fields, the
 * SDK takes half a minute.
 */
export const maxMessageBytes = 1024 * 1024;

const idFirst = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[^"\\]{0,200}")\s*,/u;
const idLast = /,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{0,200}")\s*\}\s*$/u;

/**
 * Returns the answer to a message that is too long to be read, as a line of JSON-RPC 2.0. It has
 * the message's id where that stands at either end, as clients write it, and null otherwise.
 * @param start the message's first characters
 * @param end its last ones
 */
export const oversizedAnswer = (start: string, end: string): string => {
  const id = idFirst.exec(start)?.[1] ?? idLast.exec(end)?.[1] ?? 'null';
  const message = `The message is longer than ${maxMessageBytes} bytes, so it was not read. Send a shorter one.`;
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":${JSON.stringify(message)}}}\n`;
};
