import type { Observed } from './observe.ts';

const titles = {
  commandNames: 'environment of commands',
  serverNames: 'environment of servers',
  wrappers: 'wrapper of commands',
  commandSessions: 'kernel sessions of commands',
  serverSessions: 'kernel sessions of servers',
  registry: 'registry',
} as const satisfies Readonly<Record<keyof Observed, string>>;

/** Returns what a session shows that an earlier one did not, and the reverse, a line each. */
export const changes = (before: Observed | undefined, now: Observed): readonly string[] =>
  (Object.keys(titles) as (keyof Observed)[]).flatMap((part) => [
    ...now[part].filter((one) => before?.[part].includes(one) !== true).map((one) => `${titles[part]}: new: ${one}`),
    ...(before?.[part] ?? []).filter((one) => !now[part].includes(one)).map((one) => `${titles[part]}: gone: ${one}`),
  ]);
