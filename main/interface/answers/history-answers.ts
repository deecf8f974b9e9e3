import { safeName } from '../../../app/format/secrets/safe-view.ts';
import { say } from '../../../app/text/say.ts';
import type { Answerers } from '../../../app/contract/answerers.ts';
import type { IncidentFilter } from '../../../app/contract/history-questions.ts';
import { incidentView } from '../../../app/documents/incident.ts';
import { incidentSummary } from '../../../app/contract/views/incident-view.ts';
import { moment } from '../../../app/format/moment.ts';
import { historyBars } from '../../../app/history/bars.ts';
import type { HistoryFilter } from '../../../app/history/filter.ts';
import { exportedIncidents, inChunks } from '../../store/history/history-filter.ts';
import type { Engine } from '../../engine/engine.ts';
import { addExemption } from './exemption-change.ts';
import { inWords, refused, refusedChanges } from './failures.ts';
import type { ExportContent, Surface } from './surface.ts';

type HistoryName = Extract<keyof Answerers, `history.${string}`>;

const at = (text: string | null): number | null => (text === null ? null : Date.parse(text));

const queryOf = ({ since, until, ...filter }: IncidentFilter): HistoryFilter => ({
  ...filter,
  sinceMs: at(since),
  untilMs: at(until),
});

/** Commands that repeat are listed up to this number. */
const maxRepeats = 12;

/** Returns the minutes from UTC to the user's local time. */
const offsetMinutes = (atMs: number): number => -new Date(atMs).getTimezoneOffset();

const exportOf = ({ history }: Engine, filter: HistoryFilter, format: 'csv' | 'json'): ExportContent => ({
  name: `curfew-history-${moment(Date.now()).slice(0, 10)}.${format}`,
  mediaType: format === 'csv' ? 'text/csv' : 'application/json',
  pieces: () => inChunks(exportedIncidents(format, history.query(filter), history.removals(filter, null))),
});

/** Returns the answers about the record. `changed` is called when something was deleted. */
export const historyAnswers = (
  engine: Engine,
  surface: Surface,
  changed: () => void,
): Pick<Answerers, HistoryName> => ({
  'history.page': ({ filter, offset, limit }) =>
    inWords(() => {
      const { total, incidents } = engine.history.page(queryOf(filter), offset, limit);
      const summaries = incidents.map((incident) => incidentSummary(incidentView(incident)));
      return { ok: true, value: { total, offset, incidents: summaries } };
    }),
  'history.overview': ({ filter }) =>
    inWords(() => {
      const query = queryOf(filter);
      const { incidents, processes, freedBytes } = engine.history.overview(query);
      const sinceMs = engine.history.freedSinceMs(query);
      const { step, bars } = historyBars(engine.history.quarters(query), offsetMinutes);
      // The choices do not depend on the current filter.
      const { agents, projects, hosts } = engine.history.overview({});
      return {
        ok: true,
        value: {
          step,
          bars: bars.map(({ atMs, ended, survived, other, freedBytes: freed }) => ({
            at: moment(atMs),
            ended,
            survived,
            other,
            freedBytes: freed,
          })),
          incidents,
          processes,
          freedBytes,
          countedSince: sinceMs === null ? null : moment(sinceMs),
          agents: [...agents],
          projects: [...new Set(projects.map(safeName))],
          hosts: [...hosts],
        },
      };
    }),
  'history.repeats': ({ filter }) =>
    inWords(() => {
      const repeats = engine.history.repeats(queryOf(filter), maxRepeats).map(({ newest, incidents, freedBytes }) => {
        const { id, at: newestAt, agent, project, command } = incidentView(newest);
        return { id, at: newestAt, agent, project, command, incidents, freedBytes };
      });
      return { ok: true, value: { repeats } };
    }),
  'history.exempt': ({ id, scope }) =>
    inWords(() => {
      const incident = engine.history.get(id);
      if (incident === null) return refused('not-found', say('This incident is not in the history any more.'));
      if (scope === 'project' && incident.project === null)
        return refused('invalid', say('The project of this incident is not known.'));
      const added = addExemption(engine.settingsFile, scope, incident, Date.now());
      if (!added.ok) return refusedChanges(added.problems);
      changed();
      return { ok: true, value: { createdAt: added.createdAt } };
    }),
  'history.incident': ({ id }) =>
    inWords(() => {
      const incident = engine.history.get(id);
      if (incident === null) return refused('not-found', say('This incident is not in the history any more.'));
      const { evidenceSaid } = incident;
      return {
        ok: true,
        value: {
          ...incidentView(incident),
          ...(evidenceSaid === undefined ? {} : { evidenceSaid: [...evidenceSaid] }),
        },
      };
    }),
  'history.export': async ({ filter, format }) => {
    const query = queryOf(filter);
    const counted = inWords(() => ({ ok: true, value: engine.history.overview(query).incidents }));
    if (!counted.ok) return counted;
    const saved = await surface.save(exportOf(engine, query, format));
    return saved.ok ? { ok: true, value: { ...saved.value, incidents: counted.value } } : saved;
  },
  'history.wipe': ({ olderThan }) =>
    inWords(() => {
      const deleted = engine.wipeHistory(at(olderThan));
      changed();
      return { ok: true, value: { deleted } };
    }),
});
