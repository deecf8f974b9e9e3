import { FuseV1Options, FuseVersion, type FuseV1Config } from '@electron/fuses';

/**
 * What is switched off for good inside Electron's binary, each named, so that a fuse which a later Electron adds fails the packing
 * instead of keeping its default (https://www.electronjs.org/docs/latest/tutorial/fuses). Playwright can't drive a binary
 * without inspection arguments: end-to-end tests run on the unpacked one.
 */
export const fuses: FuseV1Config = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  // Packing signs after this; without the reset macOS on arm64 refuses to start a binary that was changed.
  resetAdHocDarwinSignature: true,
  // The command line is plain Node; nobody needs the app as one.
  [FuseV1Options.RunAsNode]: false,
  // No page of ours sets a cookie; encrypted ones would ask for the keychain at the first start.
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // Windows are shown by app://, so file:// needs no more than a browser gives it.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
};
