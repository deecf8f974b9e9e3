import { useEffect, useState } from 'react';

/** How long in ms a copy is confirmed. */
const confirmedMs = 3000;

/** Something that was done, said for a moment; null before and after. */
export const useConfirmed = <What>(): readonly [What | null, (what: What | null) => void] => {
  const [what, confirm] = useState<{ readonly what: What } | null>(null);
  useEffect(() => {
    if (what === null) return undefined;
    const timer = setTimeout(() => confirm(null), confirmedMs);
    return () => clearTimeout(timer);
  }, [what]);
  return [what === null ? null : what.what, (done) => confirm(done === null ? null : { what: done })];
};
