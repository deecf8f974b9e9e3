import type { Configuration } from 'electron-builder';

/** The repository from whose releases a signed build gets its updates. */
export interface Release {
  readonly owner: string;
  readonly repo: string;
}

/** The switch of a signed release: `owner/repo` on GitHub. */
const releaseSwitch = 'CURFEW_SIGNED_RELEASE';

/**
 * Returns the release that the switch names; null: an ordinary build, without updates.
 * @throws when it is set to anything but `owner/repo`, so that a typo makes no release without
 * updates
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
 * Returns what a release adds to the configuration. `publish` makes electron-builder write
 * `app-update.yml` into the app, and `latest*.yml` beside the installers, where electron-updater
 * reads them (https://www.electron.build/auto-update). Without a signature nothing is built: an
 * attacker with write access to the download server could otherwise run code on every installed
 * machine.
 * All other builds have `publish: null`, which also keeps electron-builder from guessing a target
 * from tokens and remotes. The app contains no updater yet and makes no requests for one; the one
 * that reads this file comes with the first signed release.
 */
export const releaseConfiguration = (
  release: Release | null,
): Pick<Configuration, 'publish' | 'forceCodeSigning' | 'mac'> =>
  release === null
    ? { publish: null }
    : {
        publish: { provider: 'github', releaseType: 'draft', ...release },
        forceCodeSigning: true,
        // An empty name finds the certificate; ordinary builds are signed ad hoc.
        mac: { identity: '' },
      };
