import { failure } from '../../../app/contract/answer.ts';
import type { Answerers } from '../../../app/contract/exchange.ts';
import { settingsViewSchema } from '../../../app/contract/settings-view.ts';
import type { SceneEngine } from './scene-engine.ts';

type SettingsName = Extract<keyof Answerers, `settings.${string}`>;

/** A dot in the name of a setting leads into a block. */
const withChange = (values: object, [name, value]: readonly [string, unknown]): object => {
  const [first = '', second] = name.split('.');
  const block: unknown = Object.entries(values).find(([key]) => key === first)?.[1];
  return { ...values, [first]: second === undefined ? value : { ...(block as object), [second]: value } };
};

/** Settings of a scene: changed in memory, previewed by age alone. */
export const settingsAnswers = (engine: SceneEngine): Pick<Answerers, SettingsName> => {
  const merged = (changes: object) =>
    settingsViewSchema.safeParse(Object.entries(changes).reduce(withChange, engine.snapshot.settings.values));
  return {
    'settings.change': ({ changes }) => {
      const values = merged(changes);
      if (!values.success) {
        return {
          ok: false,
          failure: failure('invalid', 'Curfew can’t use these values.', { advice: values.error.message }),
        };
      }
      const settings = { ...engine.snapshot.settings, values: values.data };
      engine.change({ settings });
      return { ok: true, value: settings };
    },
    'settings.preview': ({ changes }) => {
      const values = merged(changes);
      const cap = values.data?.backgroundMaxElapsedSecondsHardCap ?? Number.POSITIVE_INFINITY;
      const soft = values.data?.backgroundMaxElapsedSeconds ?? Number.POSITIVE_INFINITY;
      const { jobs } = engine.snapshot;
      return {
        ok: true,
        value: {
          jobs: jobs.length,
          changed: jobs.flatMap(({ id, command, project, ageSeconds, verdict }) => {
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
              : 'Curfew would take this for a job of an agent and watch its age.',
        },
      };
    },
  };
};
