import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { asPid } from '../../../app/process/identity.ts';
import type { CommandLauncher, CommandListener, CommandOrder, CommandStart } from './command-launcher.ts';
import { findProgram } from './find-program.ts';
import { ownWindow } from './child-window.ts';

/**
 * Starts commands with Node alone: in their own session or in ours. There is no subreaper, and
 * stops are not seen; escaped processes are found by group, kernel session and cookie.
 */
export class NodeLauncher implements CommandLauncher {
  readonly mechanism = 'node';
  readonly subreaper = false;
  readonly groups = false;

  start(order: CommandOrder, listener: CommandListener): CommandStart {
    const [name, ...args] = order.command;
    const found = findProgram(name, process.env['PATH']);
    if ('errno' in found) return { ok: false, errno: found.errno };
    const child = spawn(found.file, args, {
      argv0: name,
      stdio: [...order.stdio],
      detached: order.placement === 'session',
      env: { ...process.env, ...order.environment },
      ...ownWindow,
    });
    child.on('exit', (code, signal) =>
      listener.onEnd(
        signal === null
          ? { kind: 'exited', code: code ?? 0 }
          : { kind: 'signalled', signal: constants.signals[signal] },
      ),
    );
    // Node emits the error in a later turn; a missing pid already shows it, and the file was found.
    child.on('error', () => undefined);
    return child.pid === undefined ? { ok: false, errno: 'EACCES' } : { ok: true, pid: asPid(child.pid) };
  }

  waitForChildren(): 'unknown' {
    // Node reaps its own children, and without a subreaper there are no others.
    return 'unknown';
  }

  killGroup(): boolean {
    return false;
  }
}
