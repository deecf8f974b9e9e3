import { signatureOf } from '../../../app/agents/signatures.ts';
import type { Answer } from '../../../app/contract/answer.ts';
import type { Autostart, Check } from '../../../app/contract/app-questions.ts';
import type { Answerers } from '../../../app/contract/answerers.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { portView } from '../../../app/documents/port.ts';
import { messageOf } from '../../../app/format/error-message.ts';
import { endsSoon, previewVerdicts } from '../../../app/judge/preview.ts';
import { testCommandLine } from '../../../app/judge/rule-test.ts';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import { asPid } from '../../../app/process/identity.ts';
import { exemptionName, sayRuleTest } from '../../../app/text/settings/rule-test.ts';
import { saidOf, say } from '../../../app/text/say.ts';
import { type AutostartResult, autostartStatus, disableAutostart, enableAutostart } from '../../autostart/autostart.ts';
import { autostartInputHere, machineHere } from '../../autostart/plans.ts';
import { checkUp } from '../../doctor/check-up.ts';
import type { Finding } from '../../doctor/finding.ts';
import { proveHooks } from '../../doctor/prove-hooks.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Look } from '../../observing/look.ts';
import { readSessionList } from '../../observing/session-costs.ts';
import { readPorts } from '../../ports/port-holders.ts';
import type { HostWatch } from '../../remote/watch/host-watch.ts';
import { settingsState } from '../snapshot/snapshot-content.ts';
import { removeExemption } from './exemption-change.ts';
import { done, inWords, refused, refusedChanges } from './failures.ts';
import { installationOf } from './hook-answers.ts';
import type { JobDesk } from './job-answers.ts';
import type { PauseEnd } from './pause-end.ts';
import type { Surface } from './surface.ts';
import { toldAnswer } from './told-once.ts';

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

/** What answers about Curfew as a whole need. */
export interface AppDesk {
  readonly engine: Engine;
  readonly surface: Surface;
  readonly commandLine: string;
  readonly snapshot: () => Snapshot;
  /** The latest scan; null before the first. */
  readonly look: () => Look | null;
  /** Called when something changed that windows show at once. */
  readonly changed: () => void;
  /** Called while a user looks at the jobs. */
  readonly attend: () => void;
  readonly pauseEnds: PauseEnd;
  readonly hosts: HostWatch;
}

type AppName = Exclude<
  keyof Answerers,
  | `history.${string}`
  | `settings.${string}`
  | `job.${string}`
  | `leftOpen.${string}`
  | `agent.${string}`
  | `hooks.${string}`
  | `files.${string}`
>;

const states = { ok: 'good', note: 'warning', problem: 'failure' } as const satisfies Record<
  Finding['level'],
  Check['state']
>;

/** Returns findings as windows list them, each with a code of its own. */
const checksOf = (findings: readonly Finding[]): Check[] => {
  const counts = new Map<string, number>();
  return findings.map(({ what, level, text }) => {
    const name = what.toLowerCase().replaceAll(/[^a-z]+/gu, '-');
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return {
      code: count === 1 ? name : `${name}-${count}`,
      title: what,
      state: states[level],
      text,
      advice: null,
    };
  });
};

/** Returns the state of the system's autostart; a refusal is in the system's words. */
const autostart = (work: () => AutostartResult): Answer<Autostart> => {
  try {
    const { state, text, problem } = work();
    return problem === null ? { ok: true, value: { state, text } } : refused('refused', problem);
  } catch (error) {
    return refused('refused', saidOf(error));
  }
};

/** Changes the pause, which holds at once. A failure to record its end goes to the log. */
const pauseChange = ({ engine, changed, pauseEnds }: AppDesk, change: () => void): typeof done => {
  try {
    change();
  } catch (error) {
    engine.log.error('the pause could not be kept', { problem: messageOf(error) });
  }
  pauseEnds.follow();
  changed();
  return done;
};

const checkUpNow = async ({ engine, commandLine }: AppDesk): Promise<Check[]> => {
  await engine.source.refresh?.();
  const uid = engine.source.read(asPid(process.pid))?.uid ?? 0;
  const hooks = proveHooks(installationOf(engine, commandLine), uid);
  return checksOf(checkUp(engine, (agent) => signatureOf(agent).name, hooks));
};

/** Returns only whether the surface did it. */
const plain = async (given: Answer<object> | Promise<Answer<object>>): Promise<typeof done> => {
  const answered = await given;
  return answered.ok ? done : answered;
};

/** Returns the answers about Curfew as a whole. */
export const appAnswers = (desk: AppDesk): Pick<Answerers, AppName> => {
  const { engine, surface, commandLine, snapshot, changed, hosts } = desk;
  const own = surface.autostart;
  return {
    'snapshot.get': () => ({ ok: true, value: snapshot() }),
    'watch.pause': ({ seconds }) => pauseChange(desk, () => engine.pause.begin(seconds)),
    'watch.resume': () => pauseChange(desk, () => engine.pause.end()),
    'watch.look': () => {
      changed();
      return done;
    },
    'watch.attend': () => {
      desk.attend();
      return done;
    },
    'sessions.list': () => ({
      ok: true,
      value: readSessionList(desk.look() ?? engine.observer.look(), engine.source),
    }),
    'ports.list': () => {
      const look = desk.look() ?? engine.observer.look();
      const ports = readPorts(look, engine.source, null).map((one) => portView(one, look.table));
      return { ok: true, value: { schema: 1, ports } };
    },
    'mode.set': ({ mode }) =>
      inWords(() => {
        const result = engine.settingsFile.change({ mode });
        if (!result.ok) return refusedChanges(result.problems);
        changed();
        return done;
      }),
    'autostart.status': () =>
      own === null ? autostart(() => autostartStatus(machineHere(), autostartInputHere(commandLine))) : own.status(),
    'autostart.set': ({ enabled }) => {
      if (own !== null) return own.set(enabled);
      const set = enabled ? enableAutostart : disableAutostart;
      return autostart(() => set(machineHere(), autostartInputHere(commandLine)));
    },
    'host.check': async ({ host }) => ({ ok: true, value: await hosts.check(host) }),
    'doctor.run': async () => ({ ok: true, value: { checks: await checkUpNow(desk) } }),
    'app.open': ({ place }) => plain(surface.open(place)),
    'app.copy': ({ text }) => plain(surface.copy(text)),
    'app.openPath': ({ path }) => surface.openPath(path),
    'app.openPort': ({ port }) => plain(surface.openPort(port)),
    'shortcut.status': () => ({ ok: true, value: { state: surface.shortcut() } }),
    'app.told': toldAnswer(engine.places.told),
    'app.quit': () => plain(surface.quit()),
  };
};
