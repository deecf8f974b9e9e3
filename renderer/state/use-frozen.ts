import { useState } from 'react';

/** Returns the value of now, or while `held` that of the last moment before. */
export const useFrozen = <Value>(value: Value, held: boolean): Value => {
  const [kept, setKept] = useState(value);
  if (held) return kept;
  if (kept !== value) setKept(value);
  return value;
};
