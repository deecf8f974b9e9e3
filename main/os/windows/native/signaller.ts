import type { Said } from '../../../../app/format/said.ts';
import { say } from '../../../../app/text/say.ts';
import type { ProcessIdentity } from '../../../../app/process/identity.ts';
import type { SignalName } from '../../../../app/process/signal.ts';
import {
  type IdentityReader,
  type ProcessHandle,
  type SignalResult,
  type Signaller,
  isStill,
  isUntouchable,
  refusingHandle,
} from '../../processes/signaller.ts';
import { readTimes } from '../kernel/identity.ts';
import { accessRight, kernelPid, ntStatus, type Handle, type WindowsKernel } from '../kernel/kernel.ts';
import type { Asked, ConsoleAsker } from '../../console/asker.ts';

/**
 * Windows of consoles. Windows says that they are of the first program in the console, and closing
 * one ends everything in it.
 * https://learn.microsoft.com/windows/console/ctrl-close-signal
 */
const ofConsoles: ReadonlySet<string> = new Set(['consolewindowclass', 'pseudoconsolewindow', 'virtualconsoleclass']);

/**
 * Asks the windows of a process to close, as a click on their cross does. Returns whether one was
 * asked. The process must be held: then no other has its pid. A window of which the kind can't be
 * told is left alone.
 */
export const closeWindowsOf = (kernel: Pick<WindowsKernel, 'windows' | 'closeWindow'>, pid: number): boolean =>
  (kernel.windows() ?? [])
    .filter((one) => one.pid === pid && one.kind !== '' && !ofConsoles.has(one.kind.toLowerCase()))
    .map(({ window }) => kernel.closeWindow(window, pid))
    .includes(true);

/** TerminateProcess on a held handle, and a question about its end. */
const holdingRights = accessRight.limited | accessRight.terminate | accessRight.wait;
const watchingRights = accessRight.limited | accessRight.wait;

/** A death that was asked for is confirmed within this time, milliseconds; else later looks do. */
const confirmMs = 50;

interface Shared {
  readonly kernel: WindowsKernel;
  readonly asker: ConsoleAsker;
}

/** A held handle: as long as it is open, no other process gets this pid. */
class HeldProcess implements ProcessHandle {
  readonly identity: ProcessIdentity;
  readonly kind = 'handle';
  readonly #shared: Shared;
  readonly #handle: Handle;
  readonly #mayEnd: boolean;
  #open = true;
  /** What became of the latest question to its console. */
  #asked: Asked = 'not-sent';

  constructor(identity: ProcessIdentity, shared: Shared, handle: Handle, mayEnd: boolean) {
    this.identity = identity;
    this.#shared = shared;
    this.#handle = handle;
    this.#mayEnd = mayEnd;
  }

  /** An answer that can't be understood is no death. */
  alive(): boolean {
    return this.#open && this.#shared.kernel.wait(this.#handle, 0) !== 'ended';
  }

  send(signal: SignalName): SignalResult {
    if (!this.alive()) return 'gone';
    // Stopped processes need nothing to hear what Windows has.
    if (signal === 'CONT') return 'sent';
    if (!this.#mayEnd) return 'refused';
    if (signal !== 'KILL') return this.#askSoftly() ? 'sent' : 'refused';
    const status = this.#shared.kernel.terminate(this.#handle);
    if (status === ntStatus.success) {
      this.#shared.kernel.wait(this.#handle, confirmMs);
      return 'sent';
    }
    return this.alive() ? 'refused' : 'gone';
  }

  /** By its windows, and by the event of its console: a program may have both. */
  #askSoftly(): boolean {
    const { kernel, asker } = this.#shared;
    const closed = closeWindowsOf(kernel, this.identity.pid);
    this.#asked = asker.ask(this.identity);
    return this.#asked !== 'not-sent' || closed;
  }

  sentNote(signal: SignalName): Said | null {
    return signal !== 'KILL' && this.#asked === 'on-its-way'
      ? say('a helper asks it by its console, if all in that console may be asked')
      : null;
  }

  whyRefused(signal: SignalName): Said | null {
    return this.#mayEnd && signal !== 'KILL' ? say('Windows has no way to ask it: it is ended after its grace') : null;
  }

  /** Windows has no process groups that could be signalled. */
  sendToGroup(): 'unsupported' {
    return 'unsupported';
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#shared.asker.forget(this.identity);
    this.#shared.kernel.close(this.#handle);
  }
}

/**
 * Ends processes by held handles: the handle is opened first, then the creation time compared, then
 * everything else judged. Softly by their own windows, and by the event of their console, where all
 * in it are asked.
 */
export class HandleSignaller implements Signaller {
  readonly mechanism = 'held handle';
  readonly #shared: Shared;
  readonly #reader: IdentityReader;

  constructor(kernel: WindowsKernel, reader: IdentityReader, asker: ConsoleAsker) {
    this.#shared = { kernel, asker };
    this.#reader = reader;
  }

  open(identity: ProcessIdentity): ProcessHandle | null {
    if (isUntouchable(identity.pid) || identity.pid === kernelPid) return refusingHandle(identity);
    if (identity.bootId !== this.#reader.bootId) return null;
    const { kernel } = this.#shared;
    const whole = kernel.open(identity.pid, holdingRights);
    const mayEnd = whole.status === ntStatus.success;
    const { status, handle } = mayEnd ? whole : kernel.open(identity.pid, watchingRights);
    // What may not even be watched lives, and is never ended.
    if (status === ntStatus.denied) return isStill(this.#reader, identity) ? refusingHandle(identity) : null;
    if (status !== ntStatus.success) return null;
    const times = readTimes(kernel, handle);
    if (times === null || times.ended || times.startTicks !== identity.startTicks) {
      kernel.close(handle);
      return null;
    }
    return new HeldProcess(identity, this.#shared, handle, mayEnd);
  }
}
