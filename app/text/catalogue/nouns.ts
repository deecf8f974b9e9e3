/** Counts with their nouns, and what stands between them. */
export const nouns = {
  '1 worktree': '1 Worktree',
  '{count} worktrees': '{count} Worktrees',
  '1 process': '1 Prozess',
  '{count} processes': '{count} Prozesse',
  '1 job': '1 Job',
  '{count} jobs': '{count} Jobs',
  '1 leftover': '1 Rest',
  '{count} leftovers': '{count} Reste',
  '1 lock': '1 Sperre',
  '{count} locks': '{count} Sperren',
  'ports {ports}': 'Ports {ports}',
  '{list} and {last}': '{list} und {last}',
  '{freed} ({count} more came and went)': '{freed} ({count} weitere kamen und gingen)',
  nothing: 'nichts',
} as const;
