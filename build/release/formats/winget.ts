import { stringify } from 'yaml';
import { downloadOf, homepageOf, installerOf, type ReleaseDescription, sumOf } from '../description.ts';

/** https://github.com/microsoft/winget-cli/tree/master/schemas/JSON/manifests */
const schema = '1.10.0';

const identifier = 'Curfew.Curfew';

const manifest = (kind: string, fields: Readonly<Record<string, unknown>>): string => {
  const at = `https://aka.ms/winget-manifest.${kind}.${schema}.schema.json`;
  return `# yaml-language-server: $schema=${at}\n${stringify({ ...fields, ManifestType: kind, ManifestVersion: schema })}`;
};

/**
 * Returns the three manifests for winget, by file name: for the tray app, whose installer
 * electron-builder makes (NSIS, for one user). The command line is a package of npm on Windows.
 */
export const wingetManifests = (release: ReleaseDescription): Readonly<Record<string, string>> => {
  const common = { PackageIdentifier: identifier, PackageVersion: release.version };
  const installer = installerOf(release);
  return {
    [`${identifier}.yaml`]: manifest('version', { ...common, DefaultLocale: 'en-US' }),
    [`${identifier}.installer.yaml`]: manifest('installer', {
      ...common,
      InstallerType: 'nullsoft',
      Scope: 'user',
      UpgradeBehavior: 'install',
      Installers: [
        {
          Architecture: 'x64',
          InstallerUrl: downloadOf(release, installer),
          InstallerSha256: sumOf(release, installer).toUpperCase(),
        },
      ],
    }),
    [`${identifier}.locale.en-US.yaml`]: manifest('defaultLocale', {
      ...common,
      PackageLocale: 'en-US',
      Publisher: 'The Curfew authors',
      PackageName: 'Curfew',
      PackageUrl: homepageOf(release),
      License: release.licence,
      ShortDescription: release.summary,
    }),
  };
};
