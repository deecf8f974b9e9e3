import { environmentNames } from '../../app/agents/signatures.ts';
import { NativeSource } from '../../main/os/darwin/native/source.ts';
import { UniqueIdSignaller } from '../../main/os/darwin/native/signaller.ts';
import { PlayedMachine } from '../played/played-machine.ts';
import { SimulatedKernel } from './simulated-kernel.ts';

/** A simulated Mac with the real reader, observer, judge and reaper of Curfew on it. */
export class MacStage extends PlayedMachine<SimulatedKernel> {
  constructor() {
    const kernel = new SimulatedKernel();
    const curfew = kernel.launch({ argv: ['/Applications/Curfew.app/Contents/MacOS/Curfew'] });
    kernel.asker = curfew;
    const { pid: ownPid } = curfew;
    super(kernel, ownPid, () => {
      const source = new NativeSource({
        kernel,
        environmentNames,
        uid: 501,
        ownPid,
        now: () => kernel.nowMs,
        steadyNow: () => (kernel.upSeconds() ?? 0) * 1_000,
      });
      return { source, signaller: new UniqueIdSignaller(kernel, source) };
    });
  }
}
