import type { ReactElement } from 'react';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { Intro, Rows } from '../parts/display/section.tsx';
import { useAction } from '../state/use-action.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { PagePermission } from './page-permission.tsx';
import { SwitchRow } from '../parts/input/switch-row.tsx';

/** What the user is notified of. Each holds at once. */
export const Notifications = (): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.settings.notifications;
  const { platform, settings } = useSnapshot();
  const { values } = settings;
  const onPage = platform.surface === 'page';
  const notice = format.limit(values.noticeSeconds);
  const change = useAction('settings.change');
  const rows = [
    { key: 'overdue', label: words.overdue, body: words.overdueBody },
    {
      key: 'beforeReap',
      label: words.beforeReap,
      body: (onPage ? words.beforeReapBodyOnPage : words.beforeReapBody)(notice),
    },
    { key: 'afterReap', label: words.afterReap, body: words.afterReapBody },
    { key: 'sound', label: words.sound, body: words.soundBody },
    { key: 'digest', label: words.digest, body: words.digestBody },
  ] as const;
  return (
    <>
      <Intro>{words.intro}</Intro>
      <Rows>
        {onPage ? <PagePermission /> : null}
        {rows.map(({ key, label, body }) => (
          <SwitchRow
            key={key}
            label={label}
            body={body}
            checked={values.notifications[key]}
            disabled={change.busy}
            onChange={(on) => void change.run({ changes: { [`notifications.${key}`]: on } })}
          />
        ))}
      </Rows>
      <FailureNote failure={change.failure} />
    </>
  );
};
