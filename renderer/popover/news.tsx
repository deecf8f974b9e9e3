import { useState, type ReactElement } from 'react';
import type { QuestionInput } from '../../app/contract/contract.ts';
import type { Repeat } from '../../app/contract/history-questions.ts';
import { projectName } from '../../app/format/project-name.ts';
import { shortCommand } from '../../app/format/short-command.ts';
import { repeatsOfWeek, weekOf, worstOf } from '../../app/notices/week.ts';
import { Button } from '../parts/input/button.tsx';
import { Notice } from '../parts/display/notice.tsx';
import { useSparing } from '../parts/message/use-sparing.tsx';
import { visibleText } from '../parts/text/visible-characters.ts';
import { useClock, useNow } from '../state/clock.ts';
import { useOpen } from '../state/route.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useAction } from '../state/use-action.ts';
import { useAnswer } from '../state/use-answer.ts';
import { useLanguage } from '../texts/texts-context.ts';

/**
 * Returns whether something is new since it was told last, in any window or browser, and what says
 * that it was seen. The first time nothing is new.
 */
const useTold = (what: QuestionInput<'app.told'>['what'], now: string): readonly [boolean, () => void] => {
  const { value, again } = useAnswer('app.told', { what, now, seen: false });
  const see = useAction('app.told');
  const before = value?.before ?? now;
  return [before !== now, () => void see.run({ what, now, seen: true }).then(again)];
};

/** What an upgrade brought, once. */
const Upgraded = (): ReactElement | null => {
  const { texts } = useLanguage();
  const { version } = useSnapshot().platform;
  const [isNew, see] = useTold('version', version);
  if (!isNew) return null;
  const actions = (
    <Button size="small" onClick={see}>
      {texts.common.close}
    </Button>
  );
  return (
    <Notice tone="quiet" icon="info" live="polite" actions={actions}>
      <p>{texts.news.title(version)}</p>
      {texts.news.items.map((item) => (
        <p key={item}>{item}</p>
      ))}
    </Notice>
  );
};

/** A command that repeats, with its latest incident and a rule for all of its kind. */
const Repeated = ({ repeat: { id, project, incidents, ...repeat } }: { readonly repeat: Repeat }): ReactElement => {
  const { texts, voice } = useLanguage();
  const open = useOpen();
  const { busy, spared, spare, notice } = useSparing({ id });
  const command = visibleText(shortCommand(repeat.command, 40));
  return (
    <div>
      <Button
        look="link"
        aria-label={texts.news.showIncident(command)}
        onClick={() => open({ window: 'history', incident: id })}
      >
        {command}
      </Button>
      {` ${visibleText(projectName(project) ?? texts.common.noProject)}, ${texts.history.repeats.times(incidents)} `}
      {spared ? null : (
        <Button
          size="small"
          aria-label={voice.desktop.notification.neverEnd(command)}
          aria-disabled={busy}
          onClick={() => spare('command')}
        >
          {texts.news.never}
        </Button>
      )}
      {notice}
    </div>
  );
};

const Repeats = (): ReactElement | null => {
  const { texts } = useLanguage();
  const now = useNow();
  const [nowMs] = useState(now);
  const { value } = useAnswer('history.repeats', repeatsOfWeek(nowMs));
  const repeats = worstOf(value?.repeats ?? []);
  if (repeats.length === 0) return null;
  return (
    <>
      <p>{texts.history.repeats.title}:</p>
      {repeats.map((repeat) => (
        <Repeated key={repeat.id} repeat={repeat} />
      ))}
    </>
  );
};

/** The sum of a week, once in each; it is switched off for good where it stands. */
const Week = (): ReactElement | null => {
  const { texts, voice, format } = useLanguage();
  const { freedThisWeek, settings } = useSnapshot();
  const [isNew, see] = useTold('week', String(useClock(weekOf)));
  const change = useAction('settings.change');
  const { processes, rssBytes, since } = freedThisWeek;
  if (!isNew || !settings.values.notifications.digest || processes === 0) return null;
  const day = since === null ? null : format.day(Date.parse(since));
  const actions = (
    <>
      <Button size="small" look="plain" onClick={() => void change.run({ changes: { 'notifications.digest': false } })}>
        {voice.desktop.notification.noWeek}
      </Button>
      <Button size="small" onClick={see}>
        {texts.common.close}
      </Button>
    </>
  );
  return (
    <Notice tone="quiet" icon="info" live="polite" actions={actions}>
      <p>{voice.desktop.tray.freed(processes, format.bytes(rssBytes), day)}</p>
      <Repeats />
    </Notice>
  );
};

/** What is told once and closed by the user. Usually empty. */
export const News = (): ReactElement => (
  <>
    <Upgraded />
    <Week />
  </>
);
