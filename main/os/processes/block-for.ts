/** Waits without giving the event loop a turn, for what must be one moment. */
export const blockFor = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
