import type { Configuration } from 'electron-builder';
import { releaseConfiguration } from './release.ts';

/**
 * How the app is packed on each platform (https://www.electron.build/configuration). Everything that runs is bundled, so of
 * node_modules only koffi and ps-list go along, their binaries outside of the archive, where the system can load them.
 */
export const configuration: Configuration = {
  appId: 'dev.curfew.Curfew',
  productName: 'Curfew',
  copyright: 'The Curfew authors, MIT License',
  // build/ is electron-builder's own default for resources, but ours holds code too.
  directories: { output: 'build/out/package', buildResources: 'build/icons' },
  files: [
    'package.json',
    'LICENSE',
    'build/out/shell/**',
    'build/out/preload/**',
    'build/out/renderer/**',
    'build/icons/tray/**',
    '!**/*.map',
    '!node_modules/**',
    'node_modules/koffi/{package.json,LICENSE.txt,*.js,*.cjs,lib/**}',
    'node_modules/@koromix/**',
    'node_modules/ps-list/{package.json,license,index.js,vendor/**}',
  ],
  asar: true,
  asarUnpack: ['node_modules/@koromix/**/*.node', 'node_modules/ps-list/vendor/**'],
  // Written by `npm run licences`, which packing runs first.
  extraResources: [
    { from: 'build/out/share/THIRD-PARTY-LICENCES.txt', to: 'THIRD-PARTY-LICENCES.txt' },
    { from: 'build/out/share/curfew.cdx.json', to: 'curfew.cdx.json' },
  ],
  // koffi's binaries are N-API: they fit every Electron, and a rebuild would need a compiler.
  npmRebuild: false,
  // No updates by themselves, unless it is a signed release: release.ts.
  ...releaseConfiguration(null),
  linux: {
    target: ['AppImage', 'deb'],
    icon: 'build/icons/program',
    category: 'Utility',
    synopsis: 'Ends what AI coding agents leave running',
    executableName: 'curfew-app',
    // The desktop file is called as package.json says (and as Electron tells Wayland), not as the program.
    syncDesktopName: true,
    maintainer: 'The Curfew authors <curfew@curfew.invalid>',
    desktop: {
      entry: {
        Name: 'Curfew',
        GenericName: 'Watch over background commands',
        Keywords: 'agent;claude;codex;copilot;process;orphan;',
        StartupWMClass: 'Curfew',
        StartupNotify: 'false',
      },
    },
  },
  mac: {
    target: ['dmg', 'zip'],
    icon: 'build/icons/program/1024x1024.png',
    category: 'public.app-category.developer-tools',
    hardenedRuntime: true,
    entitlements: 'build/package/entitlements.mac.plist',
    entitlementsInherit: 'build/package/entitlements.mac.plist',
    // An agent of the menu bar: no icon in the Dock.
    extendInfo: { LSUIElement: true },
    // Signed and notarised with the releasers' own identity only; without one the build is signed ad hoc.
    notarize: false,
  },
  win: {
    target: ['nsis'],
    icon: 'build/icons/program/512x512.png',
  },
  nsis: {
    oneClick: false,
    perMachine: false,
    allowToChangeInstallationDirectory: true,
    deleteAppDataOnUninstall: false,
    include: 'build/package/uninstall.nsh',
  },
};
