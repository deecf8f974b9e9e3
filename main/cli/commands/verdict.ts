import { words, worded } from '../common/words.ts';
import { sayVerdict } from '../../../app/text/scan-verdict.ts';
import { openEngine, type Engine } from '../../engine/engine.ts';
import { completeHere } from '../../reaping/recovery.ts';
import type { Look } from '../../observing/look.ts';
import { agrees } from '../common/agrees.ts';
import { exitStatus, type ExitStatus } from '../common/exit-status.ts';
import { keepsNothing } from '../common/keeps-nothing.ts';
import type { Output } from '../common/output.ts';
import { isProvedLeftover, scanTable, sumOf } from '../common/scan-table.ts';
import { endsHere, settledLook } from './scan.ts';

/** The keys of bare `curfew`, beside Ctrl-C. */
type Key = 'see' | 'end' | 'quit';

const keyOf = (bytes: string): Key | null => {
  if (bytes === '\r' || bytes === '\n') return 'see';
  if (bytes === 'e') return 'end';
  return bytes === 'q' || bytes === '\u001B' || bytes === '\u0003' || bytes === '\u0004' ? 'quit' : null;
};

/** Waits for one of the keys, without Enter. */
const nextKey = async (): Promise<Key> => {
  const { stdin } = process;
  stdin.setRawMode(true);
  stdin.resume();
  try {
    return await new Promise<Key>((resolve) => {
      const heard = (data: Buffer): void => {
        const key = keyOf(data.toString('utf8'));
        if (key === null) return;
        stdin.off('data', heard);
        resolve(key);
      };
      stdin.on('data', heard);
      stdin.once('end', () => resolve('quit'));
    });
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
};

interface Looked {
  readonly look: Look;
  readonly sentence: string;
  /** Proved leftovers, as a list to see before they are ended; null: none. */
  readonly ids: readonly string[];
  readonly preview: string;
  readonly table: string;
}

const lookOnce = async (output: Output): Promise<Looked> => {
  const engine: Engine = openEngine({
    uid: null,
    warn: output.warn,
    onlyLooks: true,
    keepsNothing: (places) => keepsNothing(import.meta.filename, places),
  });
  try {
    await engine.source.refresh?.();
    const look = await settledLook(() => engine.observer.look());
    completeHere(engine, look.table);
    const ends = endsHere(engine);
    const proved = new Map([...look.jobs].filter(([, judged]) => isProvedLeftover(judged)));
    const only = { ...look, jobs: proved };
    return {
      look,
      sentence: words(sayVerdict(sumOf(look, false, ends))),
      ids: [...proved.keys()],
      preview: scanTable(only, output, { explain: false, all: true, bare: true }),
      table: scanTable(look, output, { explain: false, all: false, ends }),
    };
  } finally {
    engine.close();
  }
};

const endProved = async ({ ids, preview }: Looked, output: Output): Promise<ExitStatus> => {
  await output.write(`\n${preview}`);
  if (
    !(await agrees(
      ids.length === 1
        ? worded('End this job? [y/N] ')
        : worded('End these {count} jobs? [y/N] ', { count: ids.length }),
    ))
  )
    return exitStatus.done;
  const [{ reap }, { noReapOptions }] = await Promise.all([
    import('./reap/reap.ts'),
    import('./reap/reap-selection.ts'),
  ]);
  return reap({ ...noReapOptions, jobs: ids }, output);
};

/**
 * Bare `curfew`: the verdict in one sentence. On a terminal keys follow: Enter shows the list, e
 * ends what is proved after a preview, q leaves.
 */
export const verdict = async (output: Output): Promise<ExitStatus> => {
  const looked = await lookOnce(output);
  await output.write(`${looked.sentence}\n`);
  if (!output.isTerminal || !process.stdin.isTTY || looked.look.jobs.size === 0) return exitStatus.done;
  const { length } = looked.ids;
  const keys =
    length === 0
      ? worded('Enter shows the list · q leaves')
      : worded('Enter shows the list · e ends what is proved ({count}), after a preview · q leaves', { count: length });
  await output.write(`${keys}\n`);
  for (;;) {
    const key = await nextKey();
    if (key === 'quit') return exitStatus.done;
    if (key === 'end' && looked.ids.length > 0) return endProved(looked, output);
    if (key === 'see') {
      await output.write(`\n${looked.table}`);
      return exitStatus.done;
    }
  }
};
