import { safe } from '../../ui/scene/safe.ts';
import { expect, test } from 'vitest';
import { maxRepeatIncidents } from '../../../app/history/repeats.ts';
import { incidentId } from '../../../app/history/incident-id.ts';
import { openDatabase } from '../../../main/store/database/database.ts';
import { inTransaction } from '../../../main/store/database/sqlite.ts';
import { History } from '../../../main/store/history/history.ts';
import { historyPlace } from '../../../main/store/history/history-design.ts';
import { putEvent, putIntent } from '../../../main/store/history/journal-rows.ts';
import { ended, sampleIntent } from '../../unit/history/sample.ts';
import { emptyFolder } from './support.ts';

test('what repeats is counted among the newest incidents only, the most frequent first', () => {
  const place = historyPlace(`${emptyFolder()}/history.db`, Date.now, () => undefined);
  const { connection, close } = openDatabase(place);
  inTransaction(connection, () => {
    const put = (number: number, command: string): void => {
      const id = incidentId(number * 1000, number);
      putIntent(connection, sampleIntent({ id, atMs: number * 1000, command, project: safe('/p') }));
      putEvent(connection, id, ended(number * 1000 + 180));
    };
    // Five at the old end, which are too old to count; then others, each once; then three and two.
    for (let number = 0; number < 5; number += 1) put(number, 'old');
    for (let number = 5; number < maxRepeatIncidents; number += 1) put(number, `once ${number}`);
    for (const [index, command] of ['three', 'two', 'three', 'two', 'three'].entries())
      put(maxRepeatIncidents + index, command);
  });
  close();
  const repeats = new History(place).repeats({}, 12);
  expect(repeats.map(({ newest, incidents }) => [newest.command, incidents])).toEqual([
    ['three', 3],
    ['two', 2],
  ]);
  expect(repeats[0]?.newest.atMs).toBe((maxRepeatIncidents + 4) * 1000);
});
