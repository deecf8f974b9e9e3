/** Crockford's base 32: no i, l, o, u, to be read aloud. https://www.crockford.com/base32.html */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';

/** 45 bits of milliseconds reach the year 3084. */
const timeDigits = 9;
const randomDigits = 5;

/** Exclusive upper bound of the random values of `incidentId`: 32 ** 5. */
export const incidentRandomRange = 32 ** randomDigits;

const encode = (value: number, length: number): string => {
  let rest = value;
  let text = '';
  for (let place = 0; place < length; place += 1) {
    text = (digits[rest % 32] ?? '0') + text;
    rest = Math.floor(rest / 32);
  }
  return text;
};

/**
 * Returns the id of a new incident: 14 characters, short enough to type. Ids sort like their times;
 * two of the same millisecond differ if their random values do.
 * @param atMs epoch milliseconds, clamped to 1970 … 3084
 * @param random an integer from 0 to `incidentRandomRange` - 1
 */
export const incidentId = (atMs: number, random: number): string => {
  const time = Math.min(Math.max(Math.trunc(atMs) || 0, 0), 32 ** timeDigits - 1);
  return encode(time, timeDigits) + encode(Math.abs(Math.trunc(random)) % incidentRandomRange, randomDigits);
};
