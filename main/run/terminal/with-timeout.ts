/** Waits for a promise, but not longer than so many milliseconds (null: as long as it takes). Leaves no timer behind. */
export const within = async (promise: Promise<unknown>, atMostMs: number | null): Promise<void> => {
  if (atMostMs === null) {
    await promise;
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, atMostMs);
  });
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};
