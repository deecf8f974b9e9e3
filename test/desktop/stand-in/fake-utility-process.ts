import { EventEmitter } from 'node:events';
import type { ForkOptions, UtilityProcess } from 'electron';

/** A process that runs a module of the app. */
export class FakeUtilityProcess extends EventEmitter implements Pick<UtilityProcess, 'kill'> {
  readonly modulePath: string;
  readonly given: readonly string[];
  readonly options: ForkOptions;
  killed = false;

  constructor(modulePath: string, given: readonly string[], options: ForkOptions) {
    super();
    this.modulePath = modulePath;
    this.given = given;
    this.options = options;
  }

  kill(): boolean {
    this.killed = true;
    return this.emit('exit', 1);
  }
}

/** `utilityProcess`: remembers what was started. */
export const utilityProcess = {
  started: [] as FakeUtilityProcess[],
  fork: (modulePath: string, given: string[] = [], options: ForkOptions = {}): FakeUtilityProcess => {
    const child = new FakeUtilityProcess(modulePath, given, options);
    utilityProcess.started.push(child);
    return child;
  },
};
