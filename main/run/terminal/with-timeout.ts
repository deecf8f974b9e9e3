/** Waits for a promise, but not longer than so many milliseconds (null: as long as it takes). Leaves no timer behind. */
export const withTimeout = async (promise: Promise<unknown>, maxMs: number | null): Promise<void> => {
  if (maxMs === null) {
    await promise;
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxMs);
  });
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};
