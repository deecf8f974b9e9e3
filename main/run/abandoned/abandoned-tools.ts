import { environmentNames } from '../../../app/agents/signatures.ts';
import { keepMarkerName } from '../../../app/judge/vetoes/keep-marker.ts';
import { openSignaller } from '../../os/open-signaller.ts';
import { openSource } from '../../os/open-source.ts';
import type { ProcessSource } from '../../os/processes/source.ts';
import { historyPlace } from '../../store/history/history-design.ts';
import { HistoryJournal } from '../../store/history/journal.ts';
import type { Places } from '../../store/places.ts';
import { storeNoticeText } from '../../store/database/store-notice.ts';
import { redactCommand } from '../../../app/format/redact.ts';
import type { AbandonedTools } from './abandoned.ts';
import { cookieName } from '../../../app/process/run-id.ts';

/** Opens the process source of runs, which also reads the run's cookie and CURFEW_KEEP. */
const openRunSource = (uid: number): ProcessSource =>
  openSource({ uid, environmentNames: new Set([...environmentNames, cookieName, keepMarkerName]) });

/** Where runs and the history are kept. */
export type RunPlaces = Pick<Places, 'runs' | 'history'>;

/** Opens what abandoned runs of this user are ended with. `warn` gets what can't be recorded. */
export const openAbandonedTools = (places: RunPlaces, warn: (text: string) => void): AbandonedTools => {
  const uid = process.getuid?.() ?? 0;
  const source = openRunSource(uid);
  const place = historyPlace(places.history, Date.now, (notice) => warn(`curfew: ${storeNoticeText(notice)}`));
  const journal = new HistoryJournal(place, redactCommand);
  return { runs: places.runs, source, signaller: openSignaller(source), uid, journal, warn };
};
