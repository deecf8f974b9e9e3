/**
 * Waits for a promise for at most `maxMs` milliseconds (null: no bound). Leaves no timer behind.
 */
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
