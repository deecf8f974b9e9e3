/** The guard's part of the settings window. */
export const guard = {
  title: 'Guard',
  body: 'Reads a command before an agent runs it and explains in one sentence what would go wrong. It is off until you switch it on, keeps nothing of what it reads, and is silent wherever it isn’t sure.',
  enabled: 'Read commands before they run',
  enabledBody:
    'On. An agent asks the guard once its hooks above have been installed since; those show as partly installed.',
  disabledBody: 'Off. Once it is on, install the hooks above again: agents ask the guard through them.',
  modes: {
    off: 'Off',
    warn: 'Warn the agent',
    deny: 'Refuse the command',
    rewrite: 'Give it a time limit',
  },
  rules: {
    unjoinedLines: {
      label: 'Lines with nothing between them',
      body: 'Several commands on lines of their own in the background, without && or ; between them.',
    },
    noTimeout: {
      label: 'No time limit',
      body: 'npx, node, ollama, wget, curl -N or python -u in the background, without timeout in front.',
    },
    neverEnds: {
      label: 'Never ends',
      body: 'tail -f, watch, inotifywait, less, ping or journalctl -f in the background.',
    },
    swallowedCommand: {
      label: 'Swallowed command',
      body: 'A redirection behind which the next command stands as an argument.',
    },
    waitsOnInput: {
      label: 'Waits for input',
      body: 'A program that reads standard input, on which nothing will come.',
    },
    waitsForItself: {
      label: 'Waits for itself',
      body: 'A loop that waits until a process is gone and finds its own shell by the words it looks for.',
    },
    killsAgent: {
      label: 'Hits the agent',
      body: 'A kill, pkill or killall that would end the agent or its own shell, or that ends nobody.',
    },
    sudoInBackground: {
      label: 'Asks for a password',
      body: 'sudo in the background, where nobody can type its password.',
    },
  },
  timeoutSeconds: 'Time limit',
  timeoutSecondsBody:
    'What a command gets where a rule gives it a time limit. Where an agent takes no changed command, it is warned.',
};
