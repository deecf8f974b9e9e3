import { asPid } from '../../app/process/identity.ts';
import type { ReaderCheck } from '../../app/process/reader-check.ts';
import type { Signaller } from '../../main/os/processes/signaller.ts';
import type { ProcessSource } from '../../main/os/processes/source.ts';
import { selfCheck } from '../../main/os/self-check/self-check.ts';
import { sourceOn } from './asked.ts';
import { handleSignaller } from '../../main/os/windows/open-machine.ts';
import { SimulatedWindows, type Simulated } from './simulated-windows.ts';

/** A Windows on which the self-check is made. */
export interface CheckedWindows {
  readonly kernel: SimulatedWindows;
  readonly curfew: Simulated;
  readonly check: (input: { readonly source: ProcessSource; readonly signaller: Signaller }) => ReaderCheck;
  readonly checkNow: () => ReaderCheck;
}

const port = 4_000;

/** Returns a Windows with the child of the self-check, and a connection of Curfew’s own. */
export const checkedWindows = (): CheckedWindows => {
  const kernel = new SimulatedWindows();
  const terminal = kernel.start(kernel.explorer, { image: 'pwsh.exe' });
  const curfew = kernel.start(terminal);
  const child = kernel.start(curfew, {
    image: 'cmd.exe',
    commandLine: 'cmd /d /c pause',
    environment: ['CURFEW_KEEP=1', 'USERPROFILE=C:\\Users\\me'],
    folder: 'C:\\Temp\\check\\',
    standard: ['pipe', 'C:\\Temp\\check\\output', null],
  });
  const check: CheckedWindows['check'] = (input) =>
    selfCheck({
      ...input,
      self: { pid: curfew.pid, ppid: terminal.pid, uid: 0 },
      noGroups: true,
      terminal: null,
      console: true,
      openEnds: () => {
        const before = kernel.tcp;
        const { pid } = curfew;
        kernel.tcp = [
          ...before,
          { listens: true, local: port, pid },
          { local: 5_000, remote: port, pid },
          { local: port, remote: 5_000, pid },
        ];
        return { port, client: null, pipe: null, remove: () => void (kernel.tcp = before) };
      },
      patienceMs: 10,
      start: () => ({
        pid: asPid(child.pid),
        argv: ['cmd', '/d', '/c', 'pause'],
        name: 'cmd',
        folder: 'C:/Temp/check',
        output: 'C:/Temp/check/output',
        started: [
          Number((child.created - 116_444_736_000_000_000n) / 10_000n) - 5,
          Number((child.created - 116_444_736_000_000_000n) / 10_000n) + 5,
        ],
        closeInput: () => undefined,
        remove: () => undefined,
      }),
    });
  const checkNow = (): ReaderCheck => {
    const source = sourceOn(kernel, curfew);
    return check({ source, signaller: handleSignaller(kernel, source) });
  };
  return { kernel, curfew, check, checkNow };
};
