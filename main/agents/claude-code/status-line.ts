import type { Entry } from '../entries/form/entry.ts';
import { settingAt } from '../hooks/form/agent-hooks.ts';
import type { AgentPlaces } from '../hooks/form/agent-hooks.ts';
import { shellWord } from '../hooks/form/shell-word.ts';
import { statusLineScriptName } from '../status-line/script.ts';
import { claudeCodeInstaller } from './installation.ts';

const isOurs = (value: unknown): boolean => {
  const command = settingAt(value, 'command');
  return (
    typeof command === 'string' &&
    new RegExp(String.raw`[/\\'"\s]${statusLineScriptName}(?:['"\s]|$)`, 'u').test(command)
  );
};

/**
 * The status line of Claude Code, in its `settings.json`
 * (https://code.claude.com/docs/en/statusline).
 * @param script path of the script that prints the line
 */
export const claudeCodeStatusLine = (places: AgentPlaces, script: string): Entry => ({
  name: 'status-line-claude-code',
  agent: 'claude-code',
  file: claudeCodeInstaller.file(places),
  format: 'json',
  path: ['statusLine'],
  // Without the script (Curfew's folder was deleted) there is no line.
  value: { type: 'command', command: `test ! -f ${shellWord(script)} || /bin/sh ${shellWord(script)}` },
  isOurs,
});
