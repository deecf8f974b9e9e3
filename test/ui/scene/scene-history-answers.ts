import { safe } from './safe.ts';
import { failure } from '../../../app/contract/answer.ts';
import type { Answerers } from '../../../app/contract/answerers.ts';
import type { HistoryOverview, IncidentFilter, Repeat } from '../../../app/contract/history-questions.ts';
import type { IncidentSummary } from '../../../app/contract/views/incident-view.ts';
import { moment } from '../../../app/format/moment.ts';
import { sceneIncident, sceneIncidents } from './incidents.ts';
import type { SceneEngine } from './scene-engine.ts';

/** Records of before count otherwise. */
const countedSince = moment(Date.now() - 20 * 86_400_000);

const matches = (incident: IncidentSummary, filter: IncidentFilter): boolean => {
  const text = `${incident.command}\n${incident.project ?? ''}`.toLowerCase();
  return (
    (filter.since === null || incident.at >= filter.since) &&
    (filter.until === null || incident.at < filter.until) &&
    (filter.agent === null || incident.agent === filter.agent) &&
    (filter.project === null || incident.project === filter.project) &&
    (filter.host === null || incident.host === filter.host) &&
    (filter.outcome === null || (incident.outcome ?? 'unfinished') === filter.outcome) &&
    filter.text
      .toLowerCase()
      .split(/\s+/u)
      .every((word) => text.includes(word))
  );
};

const day = 86_400_000;
const steps = { hour: day / 24, day, week: 7 * day, month: 30 * day } as const;

const overview = (found: readonly IncidentSummary[], all: readonly IncidentSummary[]): HistoryOverview => {
  const newest = Date.parse(found[0]?.at ?? moment(Date.now()));
  const oldest = Date.parse(found.at(-1)?.at ?? moment(Date.now()));
  const span = newest - oldest;
  const step = span < 2 * day ? 'hour' : span < 60 * day ? 'day' : span < 700 * day ? 'week' : 'month';
  const width = steps[step];
  const first = Math.floor(oldest / width);
  const count = Math.min(400, Math.floor(newest / width) - first + 1);
  const bars = Array.from({ length: count }, (_, index) => ({
    at: moment((first + index) * width),
    ended: 0,
    survived: 0,
    other: 0,
    freedBytes: 0,
  }));
  for (const incident of found) {
    const bar = bars[Math.floor(Date.parse(incident.at) / width) - first];
    if (bar === undefined) continue;
    const kind =
      incident.outcome === 'reaped' || incident.outcome === 'killed'
        ? 'ended'
        : incident.outcome === 'survived'
          ? 'survived'
          : 'other';
    bar[kind] += 1;
    bar.freedBytes += incident.freed.rssBytes;
  }
  const distinct = (values: readonly string[]): string[] => [...new Set(values)].toSorted();
  return {
    step,
    bars,
    incidents: found.length,
    processes: found.reduce((sum, incident) => sum + incident.freed.processes, 0),
    freedBytes: found.reduce((sum, incident) => sum + incident.freed.rssBytes, 0),
    countedSince: found.some(({ at }) => at < countedSince) ? countedSince : null,
    agents: distinct(all.map((incident) => incident.agent)),
    projects: distinct(all.map((incident) => incident.project ?? '')).map(safe),
    hosts: distinct(all.map((incident) => incident.host)),
  };
};

const repeatsOf = (found: readonly IncidentSummary[]): Repeat[] => {
  const groups = new Map<string, IncidentSummary[]>();
  for (const incident of found) {
    const key = `${incident.command}\n${incident.project ?? ''}\n${incident.agent}`;
    groups.set(key, [...(groups.get(key) ?? []), incident]);
  }
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .toSorted((left, right) => right.length - left.length)
    .slice(0, 12)
    .flatMap((group) => {
      const [newest] = group;
      if (newest === undefined) return [];
      const { id, at, agent, project, command } = newest;
      const freedBytes = group.reduce((sum, { freed }) => sum + freed.rssBytes, 0);
      return [{ id, at, agent, project, command, incidents: group.length, freedBytes }];
    });
};

type HistoryName = Extract<keyof Answerers, `history.${string}`>;

/** A history of this many incidents, searched in memory. */
export const historyAnswers = (size: number, engine: SceneEngine): Pick<Answerers, HistoryName> => {
  let kept = sceneIncidents(size, Date.now());
  /** With what was added to the scene since. */
  const known = (): readonly IncidentSummary[] => {
    if (kept.length === 0) return engine.snapshot.incidents;
    const ids = new Set(kept.map(({ id }) => id));
    return [...engine.snapshot.incidents.filter(({ id }) => !ids.has(id)), ...kept];
  };
  return {
    'history.page': ({ filter, offset, limit }) => {
      const found = known().filter((incident) => matches(incident, filter));
      return { ok: true, value: { total: found.length, offset, incidents: found.slice(offset, offset + limit) } };
    },
    'history.overview': ({ filter }) => ({
      ok: true,
      value: overview(
        known().filter((incident) => matches(incident, filter)),
        known(),
      ),
    }),
    'history.incident': ({ id }) => {
      const summary = known().find((incident) => incident.id === id);
      return summary === undefined
        ? { ok: false, failure: failure('not-found', 'This incident is not in the history any more.') }
        : { ok: true, value: sceneIncident(summary) };
    },
    'history.repeats': ({ filter }) => ({
      ok: true,
      value: { repeats: repeatsOf(known().filter((one) => matches(one, filter))) },
    }),
    'history.exempt': ({ id, scope }) => {
      const incident = known().find((one) => one.id === id);
      const createdAt = moment(Date.now());
      const { settings } = engine.snapshot;
      const what = scope === 'project' ? { project: incident?.project ?? '' } : { command: incident?.command ?? '' };
      const exemptions = [...settings.values.exemptions, { ...what, createdAt }];
      engine.change({ settings: { ...settings, values: { ...settings.values, exemptions } } });
      return { ok: true, value: { createdAt } };
    },
    'history.export': ({ format }) => ({
      ok: true,
      value: { kind: 'file', path: `/home/mara/Downloads/curfew-history.${format}`, incidents: kept.length },
    }),
    'history.wipe': () => {
      const deleted = kept.length;
      kept = [];
      engine.change({ incidents: [] });
      return { ok: true, value: { deleted } };
    },
  };
};
