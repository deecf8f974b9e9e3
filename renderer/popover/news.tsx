import { useEffect, useState, type ReactElement } from 'react';
import type { QuestionInput } from '../../app/contract/contract.ts';
import { projectName } from '../../app/format/project-name.ts';
import { shortCommand } from '../../app/format/short-command.ts';
import { Button } from '../parts/input/button.tsx';
import { Notice } from '../parts/display/notice.tsx';
import { visibleText } from '../parts/text/visible-characters.ts';
import { useClock, useNow } from '../state/clock.ts';
import { useRemembered } from '../state/remembered.ts';
import { useOpen } from '../state/route.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useAction } from '../state/use-action.ts';
import { useAnswer } from '../state/use-answer.ts';
import { useLanguage } from '../texts/texts-context.ts';

/**
 * Returns whether something is new since it was told here last, and what says that it was. The
 * first time nothing is.
 */
const useTold = (name: string, now: string): readonly [boolean, () => void] => {
  const [told, setTold] = useRemembered(name);
  useEffect(() => {
    if (told === null) setTold(now);
  }, [told, setTold, now]);
  return [told !== null && told !== now, () => setTold(now)];
};

/** What an upgrade brought, once. */
const Upgraded = (): ReactElement | null => {
  const { texts } = useLanguage();
  const { version } = useSnapshot().platform;
  const [isNew, told] = useTold('version', version);
  if (!isNew) return null;
  const actions = (
    <Button size="small" onClick={told}>
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

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** The first Monday since the epoch. */
const mondayMs = 4 * dayMs;
const weekOf = (nowMs: number): number => Math.floor((nowMs - mondayMs) / weekMs);

/** Only what repeats is worth a rule. */
const maxRepeats = 3;

const Repeats = (): ReactElement | null => {
  const { texts } = useLanguage();
  const open = useOpen();
  const now = useNow();
  const [nowMs] = useState(now);
  const filter: QuestionInput<'history.repeats'>['filter'] = {
    since: new Date(nowMs - weekMs).toISOString(),
    until: new Date(nowMs).toISOString(),
    agent: null,
    project: null,
    outcome: null,
    host: null,
    text: '',
  };
  const { value } = useAnswer('history.repeats', { filter });
  const repeats = (value?.repeats ?? []).filter(({ incidents }) => incidents > 1).slice(0, maxRepeats);
  if (repeats.length === 0) return null;
  return (
    <>
      <p>{texts.news.repeats}</p>
      {repeats.map(({ id, project, incidents, ...repeat }) => {
        const command = visibleText(shortCommand(repeat.command, 40));
        return (
          <p key={id}>
            <Button
              look="link"
              aria-label={texts.news.showIncident(command)}
              onClick={() => {
                open({ window: 'history', incident: id });
              }}
            >
              {command}
            </Button>
            {` ${visibleText(projectName(project) ?? texts.common.noProject)}, ${texts.news.times(incidents)}`}
          </p>
        );
      })}
    </>
  );
};

/** The sum of a week, once in each; it is switched off for good where it stands. */
const Digest = (): ReactElement | null => {
  const { texts, format } = useLanguage();
  const { freedThisWeek, settings } = useSnapshot();
  const [isNew, told] = useTold('digest', String(useClock(weekOf)));
  const change = useAction('settings.change');
  const { processes, rssBytes, since } = freedThisWeek;
  if (!isNew || !settings.values.notifications.digest || processes === 0) return null;
  const day = since === null ? null : format.day(Date.parse(since));
  const actions = (
    <>
      <Button size="small" look="plain" onClick={() => void change.run({ changes: { 'notifications.digest': false } })}>
        {texts.news.noDigest}
      </Button>
      <Button size="small" onClick={told}>
        {texts.common.close}
      </Button>
    </>
  );
  return (
    <Notice tone="quiet" icon="info" live="polite" actions={actions}>
      <p>{texts.news.digest(format.bytes(rssBytes), texts.common.processes(processes), day)}</p>
      <Repeats />
    </Notice>
  );
};

/** What is told once and closed by the user. Usually empty. */
export const News = (): ReactElement => (
  <>
    <Upgraded />
    <Digest />
  </>
);
