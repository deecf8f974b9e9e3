// node record.ts FOLDER LABEL COUNT: records COUNT reapings (endlessly with 0) and prints the id of
// each intent and of each ending once it is on disk: "begun ID", "ended ID"; also messages about
// the file. With a fourth argument it waits for a line of input first.
import { once } from 'node:events';
import { join } from 'node:path';
import { incidentId } from '../../../../app/history/incident-id.ts';
import { historyPlace } from '../../../../main/store/history/history-design.ts';
import { HistoryJournal } from '../../../../main/store/history/journal.ts';
import { ended, sampleIntent, sent } from '../../../unit/history/sample.ts';
import { safe } from '../../../unit/safe-text.ts';

const [folder = '', label = '', count = '1', wait] = process.argv.slice(2);
const say = (text: string): void => void process.stdout.write(`${text}\n`);
if (wait !== undefined) {
  say('ready');
  await once(process.stdin, 'data');
}
const place = historyPlace(join(folder, 'history.db'), Date.now, (notice) => say(`notice ${notice.kind}`));
const journal = new HistoryJournal(place, safe);
const seed = Number(label) * 100_000;
for (let number = 0; Number(count) === 0 || number < Number(count); number += 1) {
  const atMs = Date.now();
  const id = incidentId(atMs, seed + number);
  journal.begin(sampleIntent({ id, atMs, command: `${label}/${number}` }));
  say(`begun ${id}`);
  journal.append(id, sent(atMs));
  journal.append(id, ended(atMs + 1));
  say(`ended ${id}`);
}
journal.close();
process.stdin.destroy();
