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

/** What a machine says of itself at the head of each answer. */
const headSchema = z.object({
  /** How it tells of processes: by Linux's /proc, or by what its ps prints. */
  way: z.enum(['procfs', 'ps']),
  system: z.string().max(64),
  machine: z.string().max(64),
  /** The kernel's id of this boot; empty where there is none. */
  boot: z.union([z.string().regex(/^[\da-f-]{36}$/u), z.string().regex(/^btime-\d{1,15}$/u)]),
  /** Inode of the pid namespace of the shell that answers; empty where it can't be read. */
  namespace: z.union([z.string().regex(/^\d{1,20}$/u), z.literal('')]),
  uid: digits(4_294_967_295),
  /** The shell that answers. */
  self: digits(4_194_304),
  /** Clock ticks in a second; 100 on every Linux but a few old architectures, which say so. time(7) */
  ticks: digits(10_000).refine((ticks) => ticks > 0),
  page: digits(1_048_576).refine((bytes) => bytes >= 1024),
  home: z.string().max(1024).startsWith('/'),
  /** Content of /etc/machine-id; empty where there is none. */
  id: z
    .string()
    .max(64)
    .regex(/^[\w-]*$/u),
  /** Its wall clock, milliseconds; null where its date does not tell seconds. POSIX knows no `date +%s`. */
  time: z.union([
    z.literal('').transform(() => null),
    z
      .string()
      .regex(/^\d{1,11}$/u)
      .transform((seconds) => Number(seconds) * 1_000),
  ]),
  /**
   * How long it was awake since it booted, milliseconds; `always` where it says that it never slept; null where it does not tell. It may not
   * say anything of it at all: a Curfew of an earlier release asked.
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
  /** Where `curfew` is on its path; empty for nowhere. */
  curfew: z.string().max(1024),
});

/** See `headSchema`. */
export type RemoteHead = z.infer<typeof headSchema>;

/** Reads the records `name=value` of the head. null when something is missing or makes no sense. */
export const parseHead = (records: readonly string[]): RemoteHead | null => {
  const fields = new Map<string, string>();
  for (const record of records) {
    const at = record.indexOf('=');
    if (at <= 0 || fields.has(record.slice(0, at))) return null;
    fields.set(record.slice(0, at), record.slice(at + 1));
  }
  return headSchema.safeParse(Object.fromEntries(fields)).data ?? null;
};
