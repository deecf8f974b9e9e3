/**
 * Returns those variables of an environment that are set and are to reach a child. No child of
 * Curfew's own gets the whole: agents and launchers take a repository's `.env` for theirs, and
 * `NODE_OPTIONS`, `BASH_ENV`, `SHELLOPTS` or `LD_PRELOAD` in it would run, or turn off, what Curfew
 * starts; with an agent's marks a child would look like a command of the agent.
 */
export const passedOn = (
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );

/**
 * What a further process of Curfew gets: where Curfew and the agents keep their things, and how to
 * find programs. None of an agent's marks: with these it would look like a part of the session.
 */
export const ownEnvironment = [
  'CURFEW_HOME',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_RUNTIME_DIR',
  'HOME',
  'PATH',
  'USER',
  'LOGNAME',
  'LANG',
  'TMPDIR',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'SystemRoot',
  'CURFEW_DEBUG',
  'NODE_DISABLE_COMPILE_CACHE',
] as const;
