import { saidOf, say } from '../../app/text/say.ts';
import type { Said } from '../../app/format/said.ts';
import { signalNote } from '../../app/text/noted.ts';
import type { SignalRecord } from '../../app/history/incident.ts';
import type { SignalName } from '../../app/process/signal.ts';
import type { Order, Target } from '../../app/reap/target.ts';
import type { ProcessHandle } from '../os/processes/signaller.ts';
import type { Delivered, SignalAction } from './driver.ts';

type GroupOrder = Extract<Order, { readonly to: 'group' }>;

/** What confirming one target immediately before a signal found. `why`: in words for the record. */
export type TargetConfirmation =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'vetoed'; readonly why: Said | null };

export interface Hands {
  /** Takes hold of a process before it is confirmed; null when it is gone. */
  readonly hold: (target: Pick<Target, 'key' | 'pid'>) => ProcessHandle | null;
  readonly release: (handle: ProcessHandle) => void;
  /** Reads the held process past every cache and judges it anew. */
  readonly confirm: (target: Target, handle: ProcessHandle) => TargetConfirmation;
  /**
   * Confirms every member of a group, and judges those that came into it since the survey. Gives
   * the pids that a signal to the group reaches; null where one of them may not be signalled, or
   * where it can't be told which processes came.
   */
  readonly confirmGroup: (order: GroupOrder) => readonly number[] | null;
  /** Wall clock, milliseconds. */
  readonly now: () => number;
}

const record = (
  { now }: Hands,
  signal: SignalName,
  target: string,
  pids: readonly number[],
  result: SignalRecord['result'],
  note: Said | null = null,
): SignalRecord => ({
  atMs: now(),
  signal,
  target,
  pids,
  result,
  ...signalNote(note),
});

const toProcess = (hands: Hands, signal: SignalName, target: Target): SignalRecord => {
  const name = `process ${target.pid}`;
  const pids = [target.pid];
  try {
    // The hold comes first and the identity is compared after it.
    const handle = hands.hold(target);
    if (handle === null) return record(hands, signal, name, pids, 'gone');
    try {
      const confirmation = hands.confirm(target, handle);
      if (confirmation.kind === 'vetoed') return record(hands, signal, name, pids, 'vetoed', confirmation.why);
      if (confirmation.kind === 'gone') return record(hands, signal, name, pids, 'gone');
      const result = handle.send(signal);
      const refusal = handle.whyRefused?.(signal) ?? say('the system does not let this user signal it');
      const note = result === 'refused' ? refusal : result === 'sent' ? (handle.sentNote?.(signal) ?? null) : null;
      return record(hands, signal, name, pids, result, note);
    } finally {
      hands.release(handle);
    }
  } catch (error) {
    // One process that can't be held or read must not keep the others from being ended, nor their
    // results from the record.
    return record(hands, signal, name, pids, 'refused', saidOf(error));
  }
};

/** The record of a signal to a group; null where it may not or can't be signalled as one. */
const toGroup = (hands: Hands, signal: SignalName, order: GroupOrder): SignalRecord | null => {
  try {
    const handle = hands.hold({ key: order.leader, pid: order.pgid });
    if (handle === null) return null;
    try {
      const reached = hands.confirmGroup(order);
      if (reached === null || handle.sendToGroup(signal) !== 'sent') return null;
      return record(hands, signal, `group ${order.pgid}`, reached, 'sent');
    } finally {
      hands.release(handle);
    }
  } catch {
    // Then each member is confirmed alone, and its record says what is wrong.
    return null;
  }
};

/**
 * Delivers orders, every process confirmed immediately before. A group of which a member can't be
 * confirmed, to which a process came that may not be signalled, or which the kernel can't signal
 * safely as a group, is signalled one by one instead: then only confirmed processes hear it.
 */
const deliverOrders = (hands: Hands, signal: SignalName, orders: readonly Order[]): readonly SignalRecord[] =>
  orders.flatMap((order) => {
    if (order.to === 'process') return [toProcess(hands, signal, order.target)];
    const whole = toGroup(hands, signal, order);
    return whole === null ? order.members.map((target) => toProcess(hands, signal, target)) : [whole];
  });

/** Delivers one step: its signal, and CONT after it to targets that are stopped. */
export const deliverAction = (hands: Hands, { signal, orders, resume }: SignalAction): Delivered => ({
  records: [...deliverOrders(hands, signal, orders), ...deliverOrders(hands, 'CONT', resume)],
  unanswered: null,
});
