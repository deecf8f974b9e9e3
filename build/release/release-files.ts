import { pkgbuild, srcinfo } from './formats/aur.ts';
import { containerfile } from './formats/container.ts';
import { devcontainerFeature, devcontainerScript } from './formats/devcontainer.ts';
import { homebrewFormula } from './formats/homebrew.ts';
import { nixFlake } from './formats/nix.ts';
import { wingetManifests } from './formats/winget.ts';
import type { ReleaseDescription } from './description.ts';

/**
 * Returns what package managers are told of a release, as texts by path: all made from one
 * description, so that a version or a hash is never typed.
 */
export const releaseFiles = (release: ReleaseDescription): ReadonlyMap<string, string> =>
  new Map([
    ['homebrew/curfew.rb', homebrewFormula(release)],
    ['aur/PKGBUILD', pkgbuild(release)],
    ['aur/.SRCINFO', srcinfo(release)],
    ...Object.entries(wingetManifests(release)).map(([file, text]) => [`winget/${file}`, text] as const),
    ['nix/flake.nix', nixFlake(release)],
    ['container/Containerfile', containerfile(release)],
    ['devcontainer/curfew/devcontainer-feature.json', devcontainerFeature(release)],
    ['devcontainer/curfew/install.sh', devcontainerScript(release)],
  ]);
