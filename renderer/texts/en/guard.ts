/** Texts of the guard in the settings window. */
export const guard = {
  title: 'Guard',
  body: 'Checks a command before an agent runs it and explains in one sentence what would go wrong. It is off until you switch it on, stores nothing it reads, and says nothing when it isn’t sure.',
  enabled: 'Check commands before they run',
  enabledBody: 'On. Reinstall the hooks above so agents ask the guard.',
  disabledBody: 'Off. After switching it on, reinstall the hooks above.',
  modes: {
    off: 'Off',
    warn: 'Warn the agent',
    deny: 'Refuse the command',
    rewrite: 'Give it a time limit',
  },
  rules: {
    unjoinedLines: {
      label: 'Lines without operators',
      body: 'Several commands in the background, each on its own line, without && or ; between them.',
    },
    noTimeout: {
      label: 'No time limit',
      body: 'npx, node, ollama, wget, curl -N or python -u in the background without timeout.',
    },
    neverEnds: {
      label: 'Never ends',
      body: 'tail -f, watch, inotifywait, less, ping or journalctl -f in the background.',
    },
    swallowedCommand: {
      label: 'Swallowed command',
      body: 'A redirect that swallows the next command as an argument.',
    },
    waitsOnInput: {
      label: 'Waits for input',
      body: 'A program that reads standard input, which stays empty.',
    },
    waitsForItself: {
      label: 'Waits for itself',
      body: 'A loop that waits for a process to end but matches its own shell.',
    },
    killsAgent: {
      label: 'Ends the agent',
      body: 'A kill, pkill or killall that would end the agent or its own shell, or that ends nothing.',
    },
    sudoInBackground: {
      label: 'Asks for a password',
      body: 'sudo in the background, where its password can’t be typed.',
    },
  },
  timeoutSeconds: 'Time limit',
  timeoutSecondsBody:
    'Limit added by rules set to “Give it a time limit”. Agents that can’t take a changed command are warned instead.',
};
