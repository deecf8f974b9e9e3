import { say } from '../../../app/text/say.ts';
import type { Answerers } from '../../../app/contract/exchange.ts';
import { endsSoon, previewVerdicts } from '../../../app/judge/preview.ts';
import { testCommandLine } from '../../../app/judge/rule-test.ts';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import { exemptionName, sayRuleTest } from '../../../app/text/rule-test.ts';
import { removeExemption } from './exemption-change.ts';
import { inWords, refused, refusedChanges } from './failures.ts';
import type { JobDesk } from './job-answers.ts';
import { settingsState } from '../snapshot/settings-state.ts';

type SettingsName = Extract<keyof Answerers, `settings.${string}`>;

/** Returns the answers about settings. A change holds from the scan that follows it at once. */
export const settingsAnswers = ({ engine, supervisor, jobs }: JobDesk): Pick<Answerers, SettingsName> => ({
  'settings.change': ({ changes }) =>
    inWords(() => {
      const result = engine.settingsFile.change(changes);
      if (!result.ok) return refusedChanges(result.problems);
      supervisor.lookNow();
      return { ok: true, value: settingsState(result.loaded) };
    }),
  'settings.preview': ({ changes }) => {
    const preview = engine.settingsFile.preview(changes);
    if (!preview.ok) return refusedChanges(preview.problems);
    const { look } = jobs;
    if (look === null) return { ok: true, value: { jobs: 0, changed: [], ended: [] } };
    const changed = previewVerdicts(worstFirst(look.jobs.values()), preview.settings, look.table.takenAtMs);
    return {
      ok: true,
      value: {
        jobs: look.jobs.size,
        changed: changed.map(({ job, before, after }) => ({
          job: job.id,
          command: job.command,
          project: job.project,
          before: { state: before.state, action: before.action },
          after: { state: after.state, action: after.action },
        })),
        ended: changed
          .filter(({ before, after }) => endsSoon(after) && !endsSoon(before))
          .map(({ job: { id, command, project } }) => ({ job: id, command, project })),
      },
    };
  },
  'settings.unexempt': ({ createdAt }) =>
    inWords(() => {
      const result = removeExemption(engine.settingsFile, createdAt);
      if (result === null) return refused('not-found', say('There is no such exemption any more.'));
      if (!result.ok) return refusedChanges(result.problems);
      supervisor.lookNow();
      return { ok: true, value: settingsState(result.loaded) };
    }),
  'settings.testRule': ({ commandLine, rules }) => {
    const settings = engine.settings();
    const result = testCommandLine(commandLine, rules ?? settings.rules, settings.exemptions);
    return {
      ok: true,
      value: {
        matches: result.matches.map(({ rule, agent, command, own }) => ({ rule, agent, command, own })),
        exemptions: result.exemptions.map(exemptionName),
        summary: sayRuleTest(result),
      },
    };
  },
});
