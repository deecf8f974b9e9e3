import type { Pid, ProcessIdentity } from '../../../app/process/identity.ts';
import type { AnswerSections } from '../../../app/remote/answer.ts';
import type { SignalName } from '../../../app/process/signal.ts';
import type { RemoteHead } from '../../../app/remote/head.ts';
import type { ObservedProcess } from '../../os/recorded/observed-process.ts';
import { psStartWord } from '../../os/recorded/ps-way.ts';

/** One signal over there, to a process or, if that is safe, to a whole group. */
export type RemoteOrder =
  | { readonly to: 'process'; readonly signal: SignalName; readonly process: ProcessIdentity }
  | {
      readonly to: 'group';
      readonly signal: SignalName;
      readonly group: number;
      readonly members: readonly ProcessIdentity[];
    };

/** A signal's result; `changed`: not what was judged; `unknown`: broken off before it was told. */
export type RemoteResult =
  | { readonly to: 'group'; readonly group: number; readonly result: 'sent' }
  | { readonly to: 'process'; readonly pid: number; readonly result: 'sent' | 'gone' | 'changed' | 'refused' };

/**
 * The environment's names as an expression for grep -E, which picks them out over there. They are
 * constants of ours, of letters, digits and _.
 */
export const namesExpression = (names: Iterable<string>): string =>
  `^(${[...names].filter((name) => /^\w+$/u.test(name)).join('|')})=`;

/** What the judge knew of a process, as the script rereads it: RS for NUL, US for line breaks. */
const evidenceOf = (process: ObservedProcess): string =>
  [...process.arguments, ...(process.cgroup === null ? [] : [process.cgroup]), ...process.environment]
    .map((text) => `${text}\0`)
    .join('')
    .replaceAll('\0', '\u001E')
    .replaceAll('\n', '\u001F');

/**
 * Returns the lines of data with which signals are ordered. A process that is not in the latest
 * look any more gets no order: what can't be described can't be confirmed.
 * @param observed what the latest look read of a process, null when it is none of it
 * @param ends where no process may speak to the targets: the sockets and pipes of one, see
 * confirm.sh; null where that is not asked
 */
export const signalLines = (
  boot: {
    readonly way: RemoteHead['way'];
    readonly id: string;
    readonly namespace: string;
    readonly uid: number;
    readonly names: string;
  },
  orders: readonly RemoteOrder[],
  observed: (identity: ProcessIdentity) => ObservedProcess | null,
  ends: ((pid: Pid) => string) | null = null,
): readonly string[] => {
  const targets = new Map<number, readonly string[]>();
  for (const order of orders) {
    for (const identity of order.to === 'group' ? order.members : [order.process]) {
      const process = observed(identity);
      if (process === null) continue;
      const start = boot.way === 'ps' ? psStartWord(process.stat ?? '') : String(identity.startTicks);
      if (start === null) continue;
      const { pid } = identity;
      targets.set(pid, [
        `process ${pid} ${start}`,
        `=${evidenceOf(process)}`,
        ...(ends === null ? [] : [`ends ${pid}`, `=${ends(pid)}`]),
      ]);
    }
  }
  return [
    `boot ${boot.id}`,
    `namespace ${boot.namespace}`,
    `uid ${boot.uid}`,
    `names ${boot.names}`,
    ...[...targets.values()].flat(),
    ...orders.map((order) =>
      order.to === 'group'
        ? `group ${order.signal} ${order.group} ${order.members.map(({ pid }) => pid).join(' ')}`
        : `one ${order.signal} ${order.process.pid}`,
    ),
  ];
};

/**
 * Reads the results. `refused` has the reason why nothing at all was done. Records that make no
 * sense, or are about a process that got no order, are passed over.
 */
export const signalResults = (
  sections: AnswerSections,
  orders: readonly RemoteOrder[],
): { readonly results: readonly RemoteResult[]; readonly refused: string | null } => {
  const pids = new Set(
    orders.flatMap((order) => (order.to === 'group' ? order.members : [order.process])).map(({ pid }) => pid as number),
  );
  const groups = new Set(orders.flatMap((order) => (order.to === 'group' ? [order.group] : [])));
  const results: RemoteResult[] = [];
  let refused: string | null = null;
  for (const record of sections.get('signals') ?? []) {
    const nothing = /^nothing (.{1,100})$/u.exec(record)?.[1];
    if (nothing !== undefined) refused = nothing;
    const group = /^group (\d{1,7}) sent$/u.exec(record)?.[1];
    if (group !== undefined && groups.has(Number(group)))
      results.push({ to: 'group', group: Number(group), result: 'sent' });
    const one = /^(?<pid>\d{1,7}) (?<result>sent|gone|changed|refused)$/u.exec(record)?.groups;
    if (one !== undefined && pids.has(Number(one['pid'])))
      results.push({
        to: 'process',
        pid: Number(one['pid']),
        result: one['result'] as 'sent' | 'gone' | 'changed' | 'refused',
      });
  }
  return { results, refused };
};
