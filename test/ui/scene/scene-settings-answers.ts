import { failure } from '../../../app/contract/answer.ts';
import type { Answerers } from '../../../app/contract/answerers.ts';
import { settingsView } from '../../../app/contract/views/settings-view.ts';
import { changeSettings, type SettingsChanges } from '../../../app/settings/change.ts';
import { parseSettings } from '../../../app/settings/parse.ts';
import { sayNotices } from '../../../app/text/settings/notices.ts';
import type { SceneEngine } from './scene-engine.ts';

type SettingsName = Extract<keyof Answerers, `settings.${string}`>;

/**
 * Settings of a scene: kept in memory, but changed and refused by the same rules as the real ones;
 * previewed by age alone.
 */
export const settingsAnswers = (engine: SceneEngine): Pick<Answerers, SettingsName> => {
  const merged = (changes: SettingsChanges) => {
    const result = changeSettings(engine.snapshot.settings.values, changes);
    return result.ok ? { ok: true as const, values: settingsView(parseSettings(result.raw).settings) } : result;
  };
  return {
    'settings.change': ({ changes }) => {
      const result = merged(changes);
      if (!result.ok) {
        const problems = sayNotices(result.problems);
        const fields = problems.map(({ field, text }) => ({ path: `changes.${field ?? ''}`, message: text }));
        return {
          ok: false,
          failure: failure('invalid', problems.map(({ text }) => text).join(' '), { fields }),
        };
      }
      const settings = { ...engine.snapshot.settings, values: result.values };
      engine.change({ settings });
      return { ok: true, value: settings };
    },
    'settings.preview': ({ changes }) => {
      const result = merged(changes);
      const cap = result.ok ? result.values.backgroundMaxElapsedSecondsHardCap : Number.POSITIVE_INFINITY;
      const soft = result.ok ? result.values.backgroundMaxElapsedSeconds : Number.POSITIVE_INFINITY;
      // Of this machine, as the engine's.
      const jobs = engine.snapshot.jobs.filter(({ host }) => host === 'local');
      return {
        ok: true,
        value: {
          jobs: jobs.length,
          ended:
            engine.snapshot.mode === 'observe' && result.ok && changes['mode'] === 'enforce'
              ? jobs
                  .filter(({ verdict }) => verdict.state === 'orphaned' || verdict.state === 'past-cap')
                  .map(({ id, command, project }) => ({ job: id, command, project }))
              : [],
          changed: jobs.flatMap(({ id, command, project, startedAt, verdict }) => {
            const ageSeconds = (Date.now() - Date.parse(startedAt)) / 1000;
            const state = ageSeconds >= cap ? 'past-cap' : ageSeconds >= soft ? 'overdue' : 'within';
            if (state === verdict.state || verdict.state === 'orphaned' || verdict.state === 'kept') return [];
            const action = state === 'within' ? 'none' : state === 'past-cap' ? 'reap' : 'notify';
            return [
              {
                job: id,
                command,
                project,
                before: { state: verdict.state, action: verdict.action },
                after: { state, action },
              },
            ];
          }),
        },
      };
    },
    'settings.unexempt': ({ createdAt }) => {
      const { settings } = engine.snapshot;
      const exemptions = settings.values.exemptions.filter((exemption) => exemption.createdAt !== createdAt);
      const next = { ...settings, values: { ...settings.values, exemptions } };
      engine.change({ settings: next });
      return { ok: true, value: next };
    },
    'settings.testRule': ({ commandLine, rules }) => {
      const shell = /eval '(?<command>[^']*)'/u.exec(commandLine)?.groups?.['command'];
      const own = (rules ?? []).filter((rule) => commandLine.startsWith(rule.argv0));
      return {
        ok: true,
        value: {
          matches: [
            ...(shell === undefined
              ? []
              : [{ rule: 'claude-shell', agent: 'claude-code', command: shell, own: false }]),
            ...own.map((rule) => ({ rule: rule.name, agent: 'other', command: commandLine, own: true })),
          ],
          exemptions: commandLine.includes('storybook') ? ['npm run storybook*'] : [],
          summary:
            shell === undefined && own.length === 0
              ? 'Curfew would take this for a program of yours and leave it alone.'
              : 'Curfew would recognise this as a job of an agent and apply the limits.',
        },
      };
    },
  };
};
