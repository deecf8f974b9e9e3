import type { Said } from '../../../app/format/said.ts';
import { warned } from '../../../app/text/say.ts';
import { environmentNames } from '../../../app/agents/signatures.ts';
import { keepMarkerName } from '../../../app/judge/vetoes/marked.ts';
import { openMachine } from '../../os/open-machine.ts';
import { keptChecks } from '../../store/kept-checks.ts';
import { IncidentLines } from '../../incident-lines/incident-lines.ts';
import { userSettings } from '../../store/settings/settings-file.ts';
import { historyPlace } from '../../store/history/history-design.ts';
import { HistoryJournal } from '../../store/history/journal.ts';
import type { Places } from '../../store/places.ts';
import { sayStoreNotice } from '../../store/database/store-failure.ts';
import { redactCommand } from '../../../app/format/secrets/redact.ts';
import type { AbandonedTools } from './abandoned.ts';
import { cookieName } from '../../../app/process/identity.ts';

/** What is read of environments: the run's cookie and CURFEW_KEEP too. */
const names: ReadonlySet<string> = new Set([...environmentNames, cookieName, keepMarkerName]);

export type RunPlaces = Pick<Places, 'runs' | 'history' | 'state' | 'settings'>;

/** Opens what abandoned runs of this user are ended with. `warn` gets what can't be recorded. */
export const openAbandonedTools = (places: RunPlaces, warn: (said: Said) => void): AbandonedTools => {
  const uid = process.getuid?.() ?? 0;
  const { source, signaller } = openMachine({
    uid,
    environmentNames: names,
    proves: false,
    kept: keptChecks(places),
  });
  const place = historyPlace(places.history, Date.now, (notice) => warn(warned(sayStoreNotice(notice))));
  const lines = new IncidentLines({
    target: () => userSettings(places).load().settings.incidentLines,
    uid,
    warn,
  });
  const journal = new HistoryJournal(place, redactCommand, (incident) => {
    // Nothing is completed here that another process began.
    if (typeof incident === 'string') return;
    lines.ended(incident);
    lines.flush();
  });
  return { runs: places.runs, source, signaller, uid, journal, warn };
};
