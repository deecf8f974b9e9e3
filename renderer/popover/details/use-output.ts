import { useEffect, useState } from 'react';
import type { Failure } from '../../../app/contract/answer.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { useBridge } from '../../state/bridge-context.ts';

/** The end of a job's output, as far as read. */
export interface Output {
  readonly text: string;
  readonly failure: Failure | null;
  readonly read: boolean;
}

/** Maximum held in the window, in UTF-16 units. */
const heldLength = 60_000;

/** Polling interval, milliseconds; another machine is asked over ssh each time. */
const interval = 1000;
const intervalElsewhere = 5000;

/** Follows the output file of a job while the component is shown. */
export const useOutput = ({ id, host, output }: Pick<SnapshotJob, 'id' | 'host' | 'output'>): Output => {
  const bridge = useBridge();
  const [state, setState] = useState<Output>({ text: '', failure: null, read: false });
  useEffect(() => {
    if (output === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wanted = true;
    let fromByte: number | null = null;
    const look = async (): Promise<void> => {
      const answer = await bridge.ask('job.output', { job: id, host, fromByte });
      if (!wanted) return;
      if (answer.ok) {
        const { text, restarted, nextByte } = answer.value;
        fromByte = nextByte;
        setState((before) =>
          before.read && text === '' && !restarted && before.failure === null
            ? before
            : { text: (restarted ? text : before.text + text).slice(-heldLength), failure: null, read: true },
        );
      } else {
        setState((before) => ({ ...before, failure: answer.failure, read: true }));
        // A deleted file stays gone; a lost connection returns.
        if (answer.failure.code === 'not-found') return;
      }
      timer = setTimeout(() => void look(), host === 'local' ? interval : intervalElsewhere);
    };
    void look();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [bridge, id, host, output]);
  return state;
};
