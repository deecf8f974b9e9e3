import { z } from 'zod';

const digits = (most: number): z.ZodPipe<z.ZodString, z.ZodTransform<number, string>> =>
  z
    .string()
    .regex(/^\d{1,10}$/u)
    .transform((text, context) => {
      const number = Number(text);
      if (number <= most) return number;
      context.addIssue({ code: 'custom', message: 'too large' });
      return z.NEVER;
    });

/** What a machine says about itself at the head of each answer. */
const headSchema = z.object({
  /** Where it reads processes: Linux's /proc, or the output of its ps. */
  way: z.enum(['procfs', 'ps']),
  system: z.string().max(64),
  machine: z.string().max(64),
  /** The kernel's id of this boot; empty if there is none. */
  boot: z.union([z.string().regex(/^[\da-f-]{36}$/u), z.string().regex(/^btime-\d{1,15}$/u)]),
  /** Inode of the pid namespace of the answering shell; empty if unreadable. */
  namespace: z.union([z.string().regex(/^\d{1,20}$/u), z.literal('')]),
  uid: digits(4_294_967_295),
  /** Pid of the answering shell. */
  self: digits(4_194_304),
  /** Clock ticks per second: 100 on Linux but for old architectures, which say. time(7) */
  ticks: digits(10_000).refine((ticks) => ticks > 0),
  page: digits(1_048_576).refine((bytes) => bytes >= 1024),
  home: z.string().max(1024).startsWith('/'),
  /** Content of /etc/machine-id; empty if there is none. */
  id: z
    .string()
    .max(64)
    .regex(/^[\w-]*$/u),
  /** Wall clock, milliseconds; null if its date can't print seconds: POSIX has no `date +%s`. */
  time: z.union([
    z.literal('').transform(() => null),
    z
      .string()
      .regex(/^\d{1,11}$/u)
      .transform((seconds) => Number(seconds) * 1_000),
  ]),
  /**
   * Time awake since boot, milliseconds; `always` if it says that it never slept; null if unknown.
   * Absent in answers to an earlier release of Curfew.
   */
  awake: z
    .union([
      z.literal('always'),
      z.literal('').transform(() => null),
      z
        .string()
        .regex(/^\d{1,15}(\.\d{1,9})?$/u)
        .transform(Number),
    ])
    .default(null),
  /** Path of `curfew`; empty if it is not on the PATH. */
  curfew: z.string().max(1024),
});

export type RemoteHead = z.infer<typeof headSchema>;

/** Parses the records `name=value` of the head. null if something is missing or invalid. */
export const parseHead = (records: readonly string[]): RemoteHead | null => {
  const fields = new Map<string, string>();
  for (const record of records) {
    const at = record.indexOf('=');
    if (at <= 0 || fields.has(record.slice(0, at))) return null;
    fields.set(record.slice(0, at), record.slice(at + 1));
  }
  return headSchema.safeParse(Object.fromEntries(fields)).data ?? null;
};
