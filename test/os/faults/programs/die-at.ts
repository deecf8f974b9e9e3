// node --import die-at.ts …, with CURFEW_TEST_DIES="before TERM" or "after intent": kills this
// process right before or after the durable history write that holds the intent, a signal of that
// name, or the end of an incident.
import { onHistoryWrite } from './history-writes.ts';

const [moment = '', what = ''] = (process.env['CURFEW_TEST_DIES'] ?? '').split(' ');

onHistoryWrite((when, written) => {
  if (when === moment && written.includes(what)) process.kill(process.pid, 'SIGKILL');
});
