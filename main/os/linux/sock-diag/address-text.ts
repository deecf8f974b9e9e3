const ipv6Text = (bytes: readonly number[]): string => {
  const groups: string[] = [];
  for (let at = 0; at < 16; at += 2) groups.push((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  return groups.join(':').replace(/(?:^|:)0(?::0)+(?::|$)/u, '::');
};

/**
 * Returns 4 or 16 bytes of an address and a port in the usual notation, such as `127.0.0.1:80` or
 * `[::1]:80`. An IPv4 address inside IPv6 is written as IPv4.
 */
export const addressText = (bytes: readonly number[], port: number): string => {
  const mapped =
    bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  if (bytes.length === 4 || mapped) return `${bytes.slice(-4).join('.')}:${port}`;
  return `[${ipv6Text(bytes)}]:${port}`;
};
