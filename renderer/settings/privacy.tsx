import { useState, type ReactElement } from 'react';
import { Button } from '../parts/input/button.tsx';
import { Confirm } from '../parts/message/dialog.tsx';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { Notice } from '../parts/display/notice.tsx';
import { Intro, Row, Rows, Section } from '../parts/display/section.tsx';
import { ExportMenu } from '../history/export-menu.tsx';
import { useAction } from '../state/use-action.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { DaysSetting } from './limits/days-setting.tsx';

/** How long the record is kept, export, wipe. */
export const Privacy = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.settings.privacy;
  const wipe = useAction('history.wipe');
  const [asking, setAsking] = useState(false);
  const [deleted, setDeleted] = useState<number | null>(null);
  return (
    <>
      <Intro>{words.intro}</Intro>
      <DaysSetting setting="historyDays" />
      <Section>
        <Rows>
          <Row label={words.export} body={words.exportBody}>
            <ExportMenu filter={{}} />
          </Row>
          <Row label={words.wipeLabel} body={words.wipeBody}>
            <Button onClick={() => setAsking(true)}>{words.wipe}</Button>
          </Row>
        </Rows>
      </Section>
      {deleted === null ? null : (
        <Notice tone="quiet" icon="check" live="polite">
          <p>{words.wiped(deleted)}</p>
        </Notice>
      )}
      <FailureNote failure={wipe.failure} />
      <Confirm
        open={asking}
        danger
        busy={wipe.busy}
        title={words.wipeTitle}
        body={words.wipeBody}
        confirm={words.wipeConfirm}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          void wipe.run({ olderThan: null }).then((done) => {
            setAsking(false);
            setDeleted(done?.deleted ?? null);
          })
        }
      />
    </>
  );
};
