import { createContext, useContext, useEffect, useState, type ReactElement, type ReactNode } from 'react';
import type { QuestionOutput } from '../../../app/contract/contract.ts';
import type { ReapingView } from '../../../app/contract/views/reaping-view.ts';
import { Notice } from '../../parts/display/notice.tsx';
import { Button } from '../../parts/input/button.tsx';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useAction } from '../../state/use-action.ts';
import { useConfirmed } from '../../state/use-confirmed.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { holdingsWords } from './holdings-words.ts';

/** Several jobs that the user had ended at once. */
export interface BulkEnd {
  /** Keys of those that were taken up, see `jobKey`. */
  readonly begun: readonly string[];
  readonly refused: QuestionOutput<'job.reapAll'>['refused'];
}

const none: BulkEnd = { begun: [], refused: [] };

/** The name of a job among those of all machines. */
export const jobKey = (host: string, job: string): string => `${host} ${job}`;

const BulkEndContext = createContext<(end: BulkEnd) => void>(() => undefined);

/** Returns what says how a bulk end began; without an argument it takes that back. */
export const useBulkEnd = (): ((end?: BulkEnd) => void) => {
  const set = useContext(BulkEndContext);
  return (end = none) => set(end);
};

/** The reapings of a bulk end that are over: they leave the snapshot after a while. */
const useOver = (end: BulkEnd): readonly ReapingView[] => {
  const { reapings } = useSnapshot();
  const [over, setOver] = useState<ReadonlyMap<string, ReapingView>>(new Map());
  useEffect(() => setOver(new Map()), [end]);
  useEffect(
    () =>
      setOver((before) => {
        const fresh = reapings.filter(
          (one) => one.endedAt !== null && end.begun.includes(jobKey(one.host, one.job)) && !before.has(one.id),
        );
        return fresh.length === 0 ? before : new Map([...before, ...fresh.map((one) => [one.id, one] as const)]);
      }),
    [end, reapings],
  );
  return [...over.values()];
};

/** What all of them freed together, once all have ended, with a sentence to pass on. */
const Sum = ({
  over,
  close,
}: {
  readonly over: readonly ReapingView[];
  readonly close: ReactElement;
}): ReactElement => {
  const language = useLanguage();
  const words = language.texts.popover.leftovers;
  const copy = useAction('app.copy');
  const [copied, confirm] = useConfirmed<true>();
  const freed = over.flatMap((one) => (one.freed === null ? [] : [one.freed]));
  const sum = holdingsWords(
    {
      rssBytes: freed.reduce((bytes, one) => bytes + one.rssBytes, 0),
      processes: freed.reduce((count, one) => count + one.processes, 0),
      ports: [...new Set(freed.flatMap(({ ports }) => ports))],
    },
    language,
  );
  const ended = over.filter(({ outcome }) => outcome !== 'survived' && outcome !== 'interrupted').length;
  const sentence = words.sum(ended, sum);
  const actions = (
    <>
      <Button
        look="plain"
        size="small"
        aria-disabled={copy.busy}
        onClick={() =>
          void copy.run({ text: words.sentence(ended, sum) }).then((done) => {
            if (done !== null) confirm(true);
          })
        }
      >
        {copied === null ? words.copySentence : language.texts.common.copied}
      </Button>
      {close}
    </>
  );
  return (
    <Notice tone="quiet" icon="check" live="polite" actions={actions}>
      <p>{sentence}</p>
    </Notice>
  );
};

/**
 * Which jobs of a bulk end could not be taken up, and why, and what the others freed together,
 * above its children. It stays until it is closed: the button that asked goes with the jobs.
 */
export const BulkEnds = ({ children }: { readonly children: ReactNode }): ReactElement => {
  const { texts, voice } = useLanguage();
  const [end, setEnd] = useState(none);
  const over = useOver(end);
  const { begun, refused } = end;
  const close = (left: BulkEnd): ReactElement => (
    <Button look="plain" size="small" onClick={() => setEnd(left)}>
      {texts.common.close}
    </Button>
  );
  return (
    <BulkEndContext value={setEnd}>
      {refused.length === 0 ? null : (
        <Notice tone="red" icon="alert" live="assertive" actions={close({ begun, refused: [] })}>
          <p>{texts.popover.leftovers.refused(refused.length)}</p>
          {[...new Set(refused.map(({ message }) => voice.said(message)))].map((message) => (
            <p key={message}>{visibleText(message)}</p>
          ))}
        </Notice>
      )}
      {begun.length === 0 || over.length < begun.length ? null : (
        <Sum over={over} close={close({ begun: [], refused })} />
      )}
      {children}
    </BulkEndContext>
  );
};
