import { lookBefore } from './curfew.ts';
import type { Identity } from './processes.ts';
import type { Scene } from './scene.ts';

let gates = 0;

/**
 * Runs a call that lasts until a look has seen what it started, as a supervisor sees what lives for
 * longer than its interval. Returns once the call has ended.
 * @param begin starts the call with this command
 */
export const seenCall = async <Call>(
  stage: Scene,
  command: string,
  call: {
    readonly begin: (command: string) => Promise<Call>;
    readonly shell: (call: Call) => Identity;
    readonly ended: (pid: number) => Promise<unknown>;
    /** The look; by default one of the machine that the call runs on. */
    readonly look?: () => Promise<unknown>;
  },
): Promise<Call> => {
  const gate = `/tmp/scene/seen-${gates++}`;
  const begun = await call.begin(`${command}\nuntil [ -e ${gate} ]; do sleep 0.05; done`);
  const { pid } = call.shell(begun);
  // The gate's own sleep shows that all before it was started.
  await stage.until('the call waits', () =>
    stage.table().some((row) => row.sid === pid && row.argv.join(' ') === 'sleep 0.05'),
  );
  await (call.look ?? (() => lookBefore(stage)))();
  stage.write(gate, '');
  await call.ended(pid);
  return begun;
};
