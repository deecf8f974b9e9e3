import { asPid } from '../../app/process/identity.ts';
import type { ReaderCheck } from '../../app/process/reader-check.ts';
import { NativeSource } from '../../main/os/darwin/native/source.ts';
import { UniqueIdSignaller } from '../../main/os/darwin/native/signaller.ts';
import { selfCheck } from '../../main/os/self-check/self-check.ts';
import { SimulatedKernel, type Simulated } from './simulated-kernel.ts';

/** A Mac on which the self-check is made. */
export interface CheckedMac {
  readonly kernel: SimulatedKernel;
  readonly curfew: Simulated;
  readonly child: Simulated;
  readonly check: () => ReaderCheck;
}

const terminal = 0x1000_0003;
const port = 4_000;

/**
 * Returns a Mac with what the self-check would start and open: the child, another program whose
 * environment is not hidden, a connection and a pipe of Curfew's own.
 */
export const checkedMac = (): CheckedMac => {
  const kernel = new SimulatedKernel();
  const app = kernel.launch({ argv: ['/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal'] });
  const shell = kernel.start(app, { argv: ['-zsh'], path: '/bin/zsh', setsid: true, tty: terminal });
  const curfew = kernel.start(shell, {
    argv: ['/opt/bin/node', 'curfew.js'],
    group: true,
    opened: [{ fd: 20, kind: 'local', socket: 92, peer: 91 }],
  });
  kernel.asker = curfew;
  const child = kernel.start(curfew, {
    argv: ['sleep', '30'],
    path: '/bin/sleep',
    env: ['CURFEW_KEEP=1'],
    cwd: '/private/tmp/check',
    setsid: true,
    opened: [
      { fd: 0, kind: 'local', socket: 91, peer: 92 },
      { fd: 1, kind: 'file', path: '/private/tmp/check/output' },
      { fd: 2, kind: 'file', path: '/dev/null', device: true },
    ],
  });
  const closeInput = (): void => {
    child.opened = child.opened.map((one) => (one.fd === 0 ? { fd: 0, kind: 'local', socket: 91, peer: 0 } : one));
  };
  const openEnds = () => {
    const before = curfew.opened;
    curfew.opened = [
      ...before,
      { fd: 30, kind: 'tcp', socket: 301, local: port, foreign: 0, listens: true },
      { fd: 31, kind: 'tcp', socket: 302, local: 5_000, foreign: port },
      { fd: 32, kind: 'tcp', socket: 303, local: port, foreign: 5_000 },
      { fd: 33, kind: 'pipe', handle: 331, peer: 332 },
      { fd: 34, kind: 'pipe', handle: 332, peer: 331 },
    ];
    return {
      port,
      client: 31,
      pipe: {
        ends: [33, 34] as const,
        closeWriting: () => {
          curfew.opened = [
            ...curfew.opened.filter(({ fd }) => fd !== 33 && fd !== 34),
            { fd: 33, kind: 'pipe', handle: 331, peer: 0 },
          ];
        },
      },
      remove: () => void (curfew.opened = before),
    };
  };
  const startMarked = () => {
    const marked = kernel.start(curfew, { argv: ['/opt/bin/node', '-e', 'wait'], env: ['CURFEW_KEEP=1'] });
    return { pid: asPid(marked.pid), remove: () => kernel.end(marked) };
  };
  const check = (): ReaderCheck => {
    const source = new NativeSource({
      kernel,
      environmentNames: ['CURFEW_KEEP'],
      uid: 501,
      ownPid: curfew.pid,
      now: () => kernel.nowMs,
    });
    return selfCheck({
      source,
      signaller: new UniqueIdSignaller(kernel, source),
      self: { pid: curfew.pid, ppid: shell.pid, uid: 501 },
      hidesEnvironments: true,
      onMac: true,
      noGroups: false,
      terminal,
      openEnds,
      startMarked,
      patienceMs: 10,
      start: () => ({
        pid: asPid(child.pid),
        argv: ['sleep', '30'],
        name: 'sleep',
        folder: '/private/tmp/check',
        output: '/private/tmp/check/output',
        started: [kernel.nowMs - 5, kernel.nowMs],
        closeInput,
        remove: () => undefined,
      }),
    });
  };
  return { kernel, curfew, child, check };
};
