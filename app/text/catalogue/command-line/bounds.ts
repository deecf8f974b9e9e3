/** What is said of bounds of memory and tasks, and by `curfew agent`. */
export const bounds = {
  "what all its processes together may take, as 8G; status 1 where that can't be held":
    'was alle seine Prozesse zusammen nehmen dürfen, etwa 8G; Status 1, wo das nicht durchsetzbar ist',
  'processes and threads at most; status 1 as well': 'Prozesse und Threads höchstens; ebenfalls mit Status 1',
  '{option} {text}: a size is 512M, 8G or 1T, and at least 16M':
    '{option} {text}: eine Größe ist 512M, 8G oder 1T, mindestens 16M',
  'ended at its {size} of memory: {command}': 'bei {size} Speicher beendet: {command}',
  'reached its {tasks} processes and threads, and was refused more {times} times: {command}':
    'hat {tasks} Prozesse und Threads erreicht; {times}-mal wurden mehr verweigert: {command}',
} as const;
