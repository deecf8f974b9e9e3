import type { Configuration } from 'electron-builder';

/** The repository whose releases a signed build gets its updates from. */
export interface Release {
  readonly owner: string;
  readonly repo: string;
}

/** The switch: set by whoever makes a signed release, and by nobody else. `owner/repo` on GitHub. */
const releaseSwitch = 'CURFEW_SIGNED_RELEASE';

/**
 * What the switch says; null: a build like every other, without updates.
 * @throws when it is set to something else than `owner/repo`, so that a slip makes no release that can't be updated
 */
export const releaseFrom = (environment: Readonly<Record<string, string | undefined>>): Release | null => {
  const text = environment[releaseSwitch] ?? '';
  if (text === '') return null;
  const { owner, repo } = /^(?<owner>[A-Za-z0-9-]+)\/(?<repo>[A-Za-z0-9._-]+)$/u.exec(text)?.groups ?? {};
  if (owner === undefined || repo === undefined)
    throw new Error(`${releaseSwitch} is "${text}"; it names the repository of a signed release as owner/repo.`);
  return { owner, repo };
};

/**
 * What a release adds to the configuration. `publish` makes electron-builder write `app-update.yml` into the app, and `latest*.yml` beside the
 * installers: where electron-updater looks (https://www.electron.build/auto-update). Without a signature nothing is built at all: whoever
 * could put a file on the download server would run as everybody who has the app.
 *
 * Everything else is built with `publish: null`, which also keeps electron-builder from guessing a place to publish at from tokens and remotes.
 * The app holds no updater yet and asks nobody for news; the one that reads this file comes with the first signed release.
 */
export const releaseConfiguration = (release: Release | null): Pick<Configuration, 'publish' | 'forceCodeSigning'> =>
  release === null
    ? { publish: null }
    : { publish: { provider: 'github', releaseType: 'draft', ...release }, forceCodeSigning: true };
