import type { DatabaseDesign, DatabasePlace } from '../database/database-design.ts';
import type { Notify } from '../database/store-failure.ts';

/**
 * `event` is the record: number 0 is the intent, then what happened, each as JSON. `incident` is
 * what of it is searched: it is written in the same transactions and holds nothing that can't be
 * made from the events again.
 *
 * Clustered by time, newest read first. What repeats (agent, host, project, outcome) stands once in
 * `name`, and a page for which no words are searched is answered by `incident_facets` alone. With
 * that a whole scan of 100,000 incidents takes 4 ms without words and 12 ms with (7 and 18 with the
 * texts in the rows, 16 and 24 with pages of 4 KiB; Node 24.21, two cores). There is no full-text
 * index: Node has FTS5 from 22.16 on (https://github.com/nodejs/node/pull/57621), and an older one
 * could not write to a record with such an index, so it could end nothing.
 */
const firstSchema = `
CREATE TABLE name (
  number INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  UNIQUE (kind, value)
) STRICT;
CREATE TABLE incident (
  at_ms INTEGER NOT NULL,
  id TEXT NOT NULL,
  outcome INTEGER,
  agent INTEGER NOT NULL,
  host INTEGER NOT NULL,
  project INTEGER,
  freed_processes INTEGER NOT NULL DEFAULT 0,
  freed_bytes INTEGER NOT NULL DEFAULT 0,
  search TEXT NOT NULL,
  PRIMARY KEY (at_ms, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX incident_id ON incident (id);
CREATE INDEX incident_facets
  ON incident (at_ms, id, outcome, agent, host, project, freed_processes, freed_bytes);
CREATE INDEX incident_unfinished ON incident (at_ms, id) WHERE outcome IS NULL;
CREATE TABLE event (
  incident TEXT NOT NULL REFERENCES incident (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (incident, number)
) STRICT;
CREATE TABLE probe (id INTEGER PRIMARY KEY CHECK (id = 1), at_ms INTEGER NOT NULL) STRICT;
`;

/**
 * `end_total` counts what ended, so that a counter of ends does not go back when old incidents are
 * deleted; `counted_since` says since when. A record that an earlier Curfew began is counted as far
 * as it still goes back. What survived is in the last event of an incident; a body that is no JSON
 * counts as none.
 */
const endTotals = `
CREATE TABLE end_total (
  agent TEXT NOT NULL,
  outcome TEXT NOT NULL,
  ends INTEGER NOT NULL,
  processes INTEGER NOT NULL,
  freed_bytes INTEGER NOT NULL,
  survivors INTEGER NOT NULL,
  PRIMARY KEY (agent, outcome)
) STRICT, WITHOUT ROWID;
CREATE TABLE counted_since (id INTEGER PRIMARY KEY CHECK (id = 1), at_ms INTEGER NOT NULL) STRICT;
INSERT INTO counted_since (id, at_ms)
SELECT 1, coalesce(min(at_ms), CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) FROM incident;
INSERT INTO end_total (agent, outcome, ends, processes, freed_bytes, survivors)
SELECT agent.value, outcome.value, count(*), sum(incident.freed_processes), sum(incident.freed_bytes),
  coalesce(sum((
    SELECT max(CASE WHEN json_valid(event.body) THEN json_array_length(event.body, '$.survivors') END)
    FROM event WHERE event.incident = incident.id AND outcome.value = 'survived'
  )), 0)
FROM incident
JOIN name AS agent ON agent.number = incident.agent
JOIN name AS outcome ON outcome.number = incident.outcome
GROUP BY agent.value, outcome.value;
`;

/**
 * Since when `freed_processes` and `freed_bytes` count what was held at one look. Before, they
 * counted every process of a loop; such records keep what they say.
 */
const freedAtOnce = `
CREATE TABLE freed_at_once (id INTEGER PRIMARY KEY CHECK (id = 1), since_ms INTEGER NOT NULL) STRICT;
INSERT INTO freed_at_once (id, since_ms)
SELECT 1, CASE WHEN EXISTS (SELECT 1 FROM incident)
  THEN CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) ELSE 0 END;
`;

/** What was removed of files, worktrees and locks: a removal as JSON. It is no incident. */
const removals = `
CREATE TABLE removal (number INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE INDEX removal_at ON removal (at_ms);
`;

/** The record of everything Curfew did. An intent in it is on the disk before `begin` returns. */
const historyDesign: DatabaseDesign = {
  name: 'The history',
  meaning: 'Automatic ending is off while it is so.',
  // "CFWh"
  applicationId: 0x43_46_57_68,
  pageSize: 8192,
  synchronous: 'FULL',
  steps: [firstSchema, endTotals, freedAtOnce, removals],
};

/**
 * The history at a path.
 * @param now wall clock, milliseconds
 * @param notify hears when a damaged file was set aside and of entries that can't be read
 */
export const historyPlace = (path: string, now: () => number, notify: Notify): DatabasePlace => ({
  path,
  design: historyDesign,
  now,
  notify,
});
