import { useCallback, useState } from 'react';

/** A list that is shown in parts. */
export interface Growing {
  readonly shown: number;
  readonly left: number;
  readonly grow: () => void;
}

/** Shows `step` of `total`, and more with each `grow`: 300 jobs open as fast as 10. */
export const useGrowing = (total: number, step: number): Growing => {
  const [limit, setLimit] = useState(step);
  const grow = useCallback(() => setLimit((before) => before + step * 2), [step]);
  const shown = Math.min(limit, total);
  return { shown, left: total - shown, grow };
};
