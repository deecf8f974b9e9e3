import type { HeldChannel, StandardKind } from '../../../../app/process/channels.ts';
import type { OpenFile } from '../../../../app/process/facts.ts';

/** What one open file is: a channel, or what else. `known` false: a socket that can't be asked. */
export interface SeenFile {
  readonly kind: StandardKind;
  readonly channel: HeldChannel | null;
  readonly listens: string | null;
  readonly known: boolean;
}

const terminalDevice = /^\/dev\/(?:pts\/\d+|ptmx|tty\w*|console)$/u;

/** Returns what an open file is that is neither socket nor pipe. */
export const plainKind = ({ target }: OpenFile): StandardKind => {
  if (target === '/dev/null') return 'null';
  if (terminalDevice.test(target)) return 'terminal';
  return target.startsWith('/') ? 'file' : 'other';
};
