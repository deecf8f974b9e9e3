/**
 * Settings with which a `sleep` of this many seconds is overdue at once: the smallest reapable job.
 */
export const overdueSleep = (seconds: number): Readonly<Record<string, unknown>> => ({
  mode: 'observe',
  rules: [{ name: 'walk', argv0: 'sleep', argv: [String(seconds)] }],
  backgroundMaxElapsedSeconds: 1,
  backgroundKillGraceSeconds: 1,
  scanIntervalSeconds: 0.5,
});
