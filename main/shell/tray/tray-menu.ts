import type { Place } from '../../../app/contract/app-questions.ts';
import { keepSeconds, type Asked } from '../../../app/contract/asked.ts';
import { isProbable, canKeep, needsLook } from '../../../app/contract/claims/claims.ts';
import { holdingsOf, leftoverGroups, probableLeftovers } from '../../../app/contract/claims/leftovers.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { formatAge } from '../../../app/format/age.ts';
import { desktopTexts } from '../../../app/text/desktop.ts';
import type { DesktopTexts } from '../../../app/text/voice.ts';
import { formatBytes } from '../../../app/format/bytes.ts';
import { projectName } from '../../../app/format/project-name.ts';
import { shortCommand, withoutFolder } from '../../../app/format/short-command.ts';
import { statusLine, trayStateOf, type Watch } from './tray-state.ts';

export type MenuAction =
  | { readonly do: 'ask'; readonly question: Asked }
  | { readonly do: 'open'; readonly place: Place }
  | { readonly do: 'welcome' }
  | { readonly do: 'quit' };

/** One entry of the tray's menu, independent of the system's menus. */
export type MenuEntry =
  | { readonly kind: 'line' }
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'action'; readonly label: string; readonly action: MenuAction; readonly checked?: boolean }
  | { readonly kind: 'menu'; readonly label: string; readonly entries: readonly MenuEntry[] };

/** Seconds of a pause. */
const pauseSeconds = 3600;

/** Number of jobs with an entry of their own. */
const shownJobs = 3;

type Words = DesktopTexts['menu'];

const line: MenuEntry = { kind: 'line' };

const ask = (label: string, question: Asked, checked?: boolean): MenuEntry => ({
  kind: 'action',
  label,
  action: { do: 'ask', question },
  ...(checked === undefined ? {} : { checked }),
});

const open = (label: string, place: Place): MenuEntry => ({ kind: 'action', label, action: { do: 'open', place } });

const jobEntry = (job: SnapshotJob, nowMs: number, canReap: boolean, words: Words): MenuEntry => {
  const target = { job: job.id, host: job.host };
  const reapable = canReap && job.verdict.state !== 'protected';
  const probable = isProbable(job);
  const keep = canKeep(job) ? [ask(words.keep, { name: 'job.keep', input: { ...target, seconds: keepSeconds } })] : [];
  const mine = job.host === 'local' ? [ask(words.mine, { name: 'job.mine', input: target })] : [];
  return {
    kind: 'menu',
    // Whole minutes at least, so that the menu does not change with every scan.
    label: (probable ? words.probableJob : words.job)(
      shortCommand(withoutFolder(job.command), 48),
      formatAge(Math.max(60, (nowMs - Date.parse(job.startedAt)) / 1000)),
    ),
    entries: [
      ...(reapable ? [ask(words.reap(job.members.length), { name: 'job.reap', input: target })] : []),
      ...(probable ? mine : keep),
      open(words.show, { window: 'popover', job: job.id }),
    ],
  };
};

const jobEntries = (watch: Watch & { readonly kind: 'watching' }, words: Words): readonly MenuEntry[] => {
  const { jobs, reapings, platform, at } = watch.snapshot;
  const going = new Set(reapings.filter(({ phase }) => phase !== 'ended').map(({ job }) => job));
  // A job that is being ended needs no second request.
  const look = jobs
    .filter((job) => needsLook(job) && !going.has(job.id))
    .toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  if (look.length === 0) return [];
  const more = look.length - shownJobs;
  return [
    ...look.slice(0, shownJobs).map((job) => jobEntry(job, Date.parse(at), platform.canReap, words)),
    ...(more > 0 ? [open(words.more(more), { window: 'popover', job: null })] : []),
    line,
  ];
};

/** Above this many a menu is no place to read them: the popover has the same preview. */
const maxPreviewed = 20;

/** The end of all leftovers, below a list of exactly what that is. */
const leftoverEntries = (watch: Watch & { readonly kind: 'watching' }, words: Words): readonly MenuEntry[] => {
  const { snapshot } = watch;
  const jobs = leftoverGroups(snapshot).flatMap((group) => group.jobs);
  if (jobs.length < 2 || !snapshot.platform.canReap) return [];
  const label = words.endLeftovers(jobs.length, formatBytes(holdingsOf(jobs).rssBytes));
  if (jobs.length > maxPreviewed) return [open(label, { window: 'popover', job: null }), line];
  const input = { jobs: jobs.map(({ id, host }) => ({ job: id, host })) };
  return [
    {
      kind: 'menu',
      label,
      entries: [
        ...jobs.map(({ command, project, holds }): MenuEntry => ({
          kind: 'text',
          label: words.leftover(
            shortCommand(withoutFolder(command), 48),
            projectName(project),
            formatBytes(holds.rssBytes),
          ),
        })),
        line,
        ask(words.endThese(jobs.length), { name: 'job.reapAll', input }),
      ],
    },
    line,
  ];
};

/** What is probably left over is not ended from a menu at once: the window says why, one by one. */
const probableEntries = (watch: Watch & { readonly kind: 'watching' }, words: Words): readonly MenuEntry[] => {
  const { length } = probableLeftovers(watch.snapshot);
  return length === 0 ? [] : [open(words.probable(length), { window: 'popover', job: null }), line];
};

const switches = (watch: Watch & { readonly kind: 'watching' }, words: Words): readonly MenuEntry[] => {
  const { pausedUntil, mode, modeChosen } = watch.snapshot;
  return [
    pausedUntil === null
      ? ask(words.pause, { name: 'watch.pause', input: { seconds: pauseSeconds } })
      : ask(words.resume, { name: 'watch.resume', input: {} }),
    modeChosen
      ? mode === 'observe'
        ? // What would be ended then is shown there, and asked about.
          open(words.enforce, { window: 'settings', section: 'general' })
        : ask(words.observe, { name: 'mode.set', input: { mode: 'observe' } }, false)
      : { kind: 'action', label: words.choose, action: { do: 'welcome' } },
    line,
  ];
};

/**
 * Returns the tray's menu. It is sufficient alone: some Linux panels deliver only the menu and no
 * click, so it has the status, the three longest overdue with End and Keep, the end of all
 * leftovers, pause, mode, the windows, Quit.
 */
export const trayMenuOf = (watch: Watch, texts: DesktopTexts = desktopTexts): readonly MenuEntry[] => {
  const words = texts.menu;
  const quit: MenuEntry = { kind: 'action', label: words.quit, action: { do: 'quit' } };
  const state = trayStateOf(watch, texts);
  const status: MenuEntry = { kind: 'text', label: statusLine(state) };
  const held: readonly MenuEntry[] = state.held === undefined ? [] : [{ kind: 'text', label: state.held }];
  if (watch.kind !== 'watching') return [status, line, quit];
  return [
    status,
    ...held,
    line,
    ...jobEntries(watch, words),
    ...leftoverEntries(watch, words),
    ...probableEntries(watch, words),
    open(words.open, { window: 'popover', job: null }),
    ...switches(watch, words),
    open(words.settings, { window: 'settings', section: null }),
    open(words.history, { window: 'history', incident: null }),
    line,
    quit,
  ];
};
