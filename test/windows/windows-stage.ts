import { environmentNames } from '../../app/agents/signatures.ts';
import { HelperAsker } from '../../main/os/console/asker.ts';
import { helperStatus, sendConsoleEvent, type ConsoleCalls } from '../../main/os/console-helper.ts';
import { HandleSignaller } from '../../main/os/windows/native/signaller.ts';
import { NativeSource } from '../../main/os/windows/native/source.ts';
import { PlayedMachine } from '../played/played-machine.ts';
import { SimulatedWindows } from './simulated-windows.ts';

/** The pid of the helper that enters a console: no process of the simulated machine has it. */
const helperPid = 4_000_000;

/** The calls by which the helper leaves its console and enters another. */
const consoleCalls = (kernel: SimulatedWindows): ConsoleCalls => {
  let entered: number | null = null;
  return {
    enter: (pid) => {
      const one = kernel.processes.get(pid);
      entered = one?.console === true ? one.consoleId : null;
      return entered !== null;
    },
    members: () => (entered === null ? null : [helperPid, ...kernel.inConsole(entered).map(({ pid }) => pid)]),
    send: () => {
      if (entered !== null) kernel.askConsole(entered);
      return true;
    },
  };
};

/** A simulated Windows with the real reader, observer, judge, reaper and helper of Curfew on it. */
export class WindowsStage extends PlayedMachine<SimulatedWindows> {
  constructor() {
    const kernel = new SimulatedWindows();
    const commandLine = '"C:\\Program Files\\Curfew\\Curfew.exe"';
    const { pid: ownPid } = kernel.start(kernel.explorer, { image: 'Curfew.exe', commandLine, consoleId: 1 });
    super(kernel, ownPid, () => {
      const source = new NativeSource({ kernel, environmentNames, uid: 0, ownPid, now: () => kernel.nowMs });
      source.prove();
      const asker = new HelperAsker(
        source,
        (members) =>
          sendConsoleEvent(members, kernel, consoleCalls(kernel), helperPid) === helperStatus.sent
            ? 'sent'
            : 'not-sent',
        () => kernel.nowMs,
      );
      return { source, signaller: new HandleSignaller(kernel, source, asker) };
    });
  }
}
