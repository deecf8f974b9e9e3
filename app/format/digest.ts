/**
 * FNV-1a, 32 bits, hexadecimal. Of values that are only ever compared, so that none has to be kept.
 * http://www.isthe.com/chongo/tech/comp/fnv/
 */
export const digest = (text: string): string => {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  return (hash >>> 0).toString(16);
};
