const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/**
 * Formats an amount of bytes: `0 B`, `512 B`, `12 kB`, `1.1 GB`. Decimal units (1 kB = 1000 B), as
 * disks and system monitors use; one decimal below ten. Negative amounts and NaN are `0 B`.
 */
export const formatBytes = (bytes: number): string => {
  let amount = Number.isFinite(bytes) && bytes > 0 ? bytes : 0;
  let unit = 0;
  // 999.5 would round to 1000 of the smaller unit.
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && amount < 9.95 ? 1 : 0;
  return `${amount.toFixed(digits)} ${units[unit] ?? ''}`;
};

/** Returns an amount as options take it, in the largest unit of 1024 that it is a multiple of. */
export const sizeText = (bytes: number): string => {
  let [amount, unit] = [bytes, 0];
  while (amount > 0 && amount % 1024 === 0 && unit < 4) {
    amount /= 1024;
    unit += 1;
  }
  return `${amount}${['', 'K', 'M', 'G', 'T'][unit] ?? ''}`;
};
