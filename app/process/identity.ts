/** A run's name: in its folder, in its processes' cookie, and on the command line. */
export type RunId = string & { readonly __brand: 'RunId' };

/** What an id looks like; nothing else is ever taken for part of a path. */
export const runIdPattern = /^[2-9a-km-np-z]{10}$/u;

/** Marks a text that fits `runIdPattern`. */
export const asRunId = (text: string): RunId => text as RunId;

/** The variable that everything a run starts carries in its environment. */
export const cookieName = 'CURFEW_RUN';

/** A pid in the observer's namespace. Reused by the kernel: no identity on its own. */
export type Pid = number & { readonly __brand: 'Pid' };

/** A process group id: the pid that its leader has or had. Outlives the leader. */
export type GroupId = number & { readonly __brand: 'GroupId' };

/** A kernel session id (setsid), not an agent's session. Outlives its leader. */
export type KernelSessionId = number & { readonly __brand: 'KernelSessionId' };

/**
 * One boot of one machine as one pid namespace of it sees it. Pids and start times are comparable
 * only inside one boot and one namespace, and several containers share the kernel's boot id.
 */
export type BootId = string & { readonly __brand: 'BootId' };

/** Marks a number as a pid; the caller knows it from a table or a signal call. */
export const asPid = (value: number): Pid => value as Pid;

/** Marks a number as a process group id. */
export const asGroupId = (value: number): GroupId => value as GroupId;

/** Marks a number as a kernel session id. */
export const asKernelSessionId = (value: number): KernelSessionId => value as KernelSessionId;

/** Marks a text as a boot id. */
export const asBootId = (value: string): BootId => value as BootId;

/**
 * What a process *is*: boot + pid + start time. Two rows with the same identity are the same
 * process, even after an exec. `startTicks` is the kernel's own grain, clock ticks since boot (on
 * macOS: microseconds since the epoch), so it is compared, never shown.
 */
export interface ProcessIdentity {
  readonly bootId: BootId;
  readonly pid: Pid;
  readonly startTicks: number;
}

/** An identity as text, usable as a map key and in files. */
export type IdentityKey = string & { readonly __brand: 'IdentityKey' };

/** Promises the same text for the same identity and different texts for different ones. */
export const identityKey = (identity: ProcessIdentity): IdentityKey =>
  `${identity.bootId}:${identity.pid}:${identity.startTicks}` as IdentityKey;
