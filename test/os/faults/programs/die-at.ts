// node --import die-at.ts …, with CURFEW_TEST_DIES="before TERM" or "after intent": ends this process with KILL right before or right
// after the durable write of the history that holds the intent, signals of that name, or the end of an incident.
import { onHistoryWrite } from './history-writes.ts';

const [moment = '', what = ''] = (process.env['CURFEW_TEST_DIES'] ?? '').split(' ');

onHistoryWrite((when, written) => {
  if (when === moment && written.includes(what)) process.kill(process.pid, 'SIGKILL');
});
