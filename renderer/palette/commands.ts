import type { Place } from '../../app/contract/app-questions.ts';
import { keepSeconds, type Asked } from '../../app/contract/asked.ts';
import { canEnd, leftoverGroups, probableLeftovers } from '../../app/contract/claims/leftovers.ts';
import { canKeep } from '../../app/contract/claims/claims.ts';
import type { Snapshot, SnapshotJob } from '../../app/contract/views/snapshot.ts';
import { projectName } from '../../app/format/project-name.ts';
import { shortCommand } from '../../app/format/short-command.ts';
import { settingRows } from '../../app/settings/registry.ts';
import { agentName } from '../../app/text/agent-name.ts';
import { visibleText } from '../parts/text/visible-characters.ts';
import { pauseLengths } from '../popover/pause-lengths.ts';
import type { ViewAction } from '../state/view-actions.ts';
import type { Language } from '../texts/texts-context.ts';

export type CommandAction =
  | { readonly do: 'ask'; readonly question: Asked }
  | { readonly do: 'open'; readonly place: Place }
  /** Goes to the card of a job, or to its End button: nothing is ended from the palette itself. */
  | { readonly do: 'go'; readonly job: string; readonly to: 'card' | 'end' }
  /** Opens the preview of what would be ended. */
  | { readonly do: 'preview-leftovers' }
  | { readonly do: 'view'; readonly name: ViewAction }
  | { readonly do: 'welcome' };

/** A line of the palette. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** What tells it apart: the project and agent of a job. Searched as well. */
  readonly hint: string;
  readonly action: CommandAction;
}

/** Commands under one heading. */
export interface CommandGroup {
  readonly value: string;
  readonly items: readonly Command[];
}

/** What commands are made from. */
export interface Offer {
  readonly snapshot: Snapshot;
  readonly views: ReadonlySet<ViewAction>;
  /** Wall clock of the engine, milliseconds. */
  readonly nowMs: number;
  readonly language: Language;
}

/** A command in a label has at most this many characters. */
const maxCommand = 60;

const command = (id: string, label: string, action: CommandAction, hint = ''): Command => ({ id, label, hint, action });

const ask = (id: string, label: string, question: Asked, hint = ''): Command =>
  command(id, label, { do: 'ask', question }, hint);

const places = ({ snapshot, language: { texts } }: Offer): readonly Command[] => {
  const words = texts.palette;
  const open = (id: string, label: string, place: Place): Command => command(id, label, { do: 'open', place });
  return [
    open('jobs', texts.popover.title, { window: 'popover', job: null }),
    open('sessions', texts.sessions.title, { window: 'sessions' }),
    open('ports', texts.ports.title, { window: 'ports', port: null }),
    open('files', texts.files.title, { window: 'files' }),
    open('worktrees', texts.files.worktrees, { window: 'files' }),
    open('locks', texts.files.locks, { window: 'files' }),
    open('history', texts.history.title, { window: 'history', incident: null }),
    ...Object.entries(texts.settings.sections).map(([section, name]) =>
      open(`settings-${section}`, words.section(name), { window: 'settings', section }),
    ),
    ...(snapshot.modeChosen ? [] : [command('welcome', words.choose, { do: 'welcome' })]),
  ];
};

const watching = ({ snapshot, nowMs, language }: Offer): readonly Command[] => {
  const { texts } = language;
  const words = texts.palette;
  const leftovers = [...leftoverGroups(snapshot).flatMap(({ jobs }) => jobs), ...probableLeftovers(snapshot)];
  return [
    ask('look', texts.popover.checkNow, { name: 'watch.look', input: {} }),
    ...(snapshot.pausedUntil === null
      ? pauseLengths(nowMs, language).map(({ label, seconds }) =>
          ask(`pause-${seconds ?? 'forever'}`, words.pause(label), { name: 'watch.pause', input: { seconds } }),
        )
      : [ask('resume', texts.popover.resume, { name: 'watch.resume', input: {} })]),
    ...(leftovers.length > 1 && snapshot.platform.canReap
      ? [command('leftovers', words.endLeftovers(leftovers.length), { do: 'preview-leftovers' })]
      : []),
    // What would be ended then is shown in the settings, and asked about.
    snapshot.modeChosen && snapshot.mode === 'enforce'
      ? ask('observe', words.observe, { name: 'mode.set', input: { mode: 'observe' } })
      : command('enforce', words.enforce, { do: 'open', place: { window: 'settings', section: 'general' } }),
  ];
};

const looks = ({ snapshot, views, language: { texts } }: Offer): readonly Command[] => {
  const { choices } = texts.settings;
  const words = texts.palette;
  return [
    ...(views.has('search') ? [command('search', texts.popover.search, { do: 'view', name: 'search' })] : []),
    ...(views.has('keys') ? [command('keys', texts.popover.keys.title, { do: 'view', name: 'keys' })] : []),
    ...settingRows.appearance.choices.map((appearance) =>
      ask(`appearance-${appearance}`, `${choices.appearance.label}: ${choices.appearance.values[appearance]}`, {
        name: 'settings.change',
        input: { changes: { appearance } },
      }),
    ),
    ...settingRows.language.choices.map((language) =>
      ask(`language-${language}`, `${choices.language.label}: ${choices.language.values[language]}`, {
        name: 'settings.change',
        input: { changes: { language } },
      }),
    ),
    ...(snapshot.platform.surface === 'desktop' ? [ask('quit', words.quit, { name: 'app.quit', input: {} })] : []),
  ];
};

const copies = (job: SnapshotJob, hint: string, { snapshot, language: { texts } }: Offer): readonly Command[] => {
  const words = texts.palette;
  const name = shortCommand(job.command, maxCommand);
  const copy = (what: string, label: string, text: string): Command =>
    ask(`${what} ${job.host} ${job.id}`, words.copy(label, name), { name: 'app.copy', input: { text } }, hint);
  const { copyCommand, copyPid, copyFolder, copyOutput } = texts.popover.details;
  const canOpen = snapshot.platform.surface === 'desktop' && job.host === 'local';
  const open = (what: string, label: string, path: string): Command =>
    ask(`${what} ${job.host} ${job.id}`, label, { name: 'app.openPath', input: { path } }, hint);
  return [
    copy('copy', copyCommand, job.command),
    copy('copy-pid', copyPid, String(job.root.pid)),
    ...(job.project === null
      ? []
      : canOpen
        ? [open('folder', words.openFolder(name), job.project)]
        : [copy('copy-folder', copyFolder, job.project)]),
    ...(job.output === null
      ? []
      : canOpen
        ? [open('output', words.openOutput(name), job.output)]
        : [copy('copy-output', copyOutput, job.output)]),
    ...(canOpen
      ? job.holds.ports.map((port) =>
          ask(`port-${port} ${job.id}`, words.openPort(port), { name: 'app.openPort', input: { port } }, hint),
        )
      : []),
  ];
};

const hintOf = (job: SnapshotJob, { language: { texts } }: Offer): string =>
  [
    visibleText(projectName(job.project) ?? texts.common.noProject),
    agentName(job.agent, job.rule),
    ...(job.host === 'local' ? [] : [texts.common.host(visibleText(job.host))]),
  ].join(' · ');

const shown = (job: SnapshotJob, offer: Offer): Command =>
  command(
    `go ${job.host} ${job.id}`,
    shortCommand(job.command, maxCommand),
    { do: 'go', job: job.id, to: 'card' },
    hintOf(job, offer),
  );

const actions = (job: SnapshotJob, offer: Offer): readonly Command[] => {
  const { snapshot, language } = offer;
  const words = language.texts.palette;
  const name = shortCommand(job.command, maxCommand);
  const hint = hintOf(job, offer);
  const target = { job: job.id, host: job.host };
  const { state } = job.verdict;
  const isGoing = snapshot.reapings.some((reaping) => reaping.job === job.id && reaping.phase !== 'ended');
  return [
    ...(canEnd(job, snapshot)
      ? [command(`end ${job.host} ${job.id}`, words.end(name), { do: 'go', job: job.id, to: 'end' }, hint)]
      : []),
    ...(state === 'kept'
      ? [ask(`unkeep ${job.host} ${job.id}`, words.unkeep(name), { name: 'job.unkeep', input: target }, hint)]
      : canKeep(job) && state !== 'protected' && !isGoing
        ? [
            ask(
              `keep ${job.host} ${job.id}`,
              words.keep(name),
              { name: 'job.keep', input: { ...target, seconds: keepSeconds } },
              hint,
            ),
          ]
        : []),
    ...copies(job, hint, offer),
    ...(job.host === 'local'
      ? job.holds.ports.flatMap((port) => [
          command(
            `who-${port} ${job.id}`,
            words.whoListens(port),
            { do: 'open', place: { window: 'ports', port: String(port) } },
            hint,
          ),
          ...(canEnd(job, snapshot)
            ? [command(`end-${port} ${job.id}`, words.endPort(port, name), { do: 'go', job: job.id, to: 'end' }, hint)]
            : []),
        ])
      : []),
  ];
};

/** More lines than this are not read: the user types on. */
const maxShown = 60;

const fits = ({ label, hint }: Command, words: readonly string[]): boolean => {
  const text = `${label} ${hint}`.toLocaleLowerCase();
  return words.every((word) => text.includes(word));
};

/**
 * Returns every place and action that contains all words of the query, in groups. What can be done
 * with a single job is listed once something was typed: else each would stand there several times.
 */
export const paletteCommands = (offer: Offer, query: string): readonly CommandGroup[] => {
  const { palette } = offer.language.texts;
  const words = query.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  const { jobs } = offer.snapshot;
  const groups = [
    { value: palette.places, items: places(offer) },
    { value: palette.actions, items: [...watching(offer), ...looks(offer)] },
    { value: palette.jobs, items: jobs.map((job) => shown(job, offer)) },
    { value: palette.withJob, items: words.length === 0 ? [] : jobs.flatMap((job) => actions(job, offer)) },
  ];
  let left = maxShown;
  return groups.flatMap(({ value, items }) => {
    const found = items.filter((item) => fits(item, words)).slice(0, Math.max(0, left));
    left -= found.length;
    return found.length === 0 ? [] : [{ value, items: found }];
  });
};
