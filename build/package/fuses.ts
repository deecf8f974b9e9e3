import { FuseV1Options, FuseVersion, type FuseV1Config } from '@electron/fuses';

/**
 * What is switched off permanently inside Electron's binary, each named, so that a fuse of a later
 * Electron fails the packing instead of keeping its default
 * (https://www.electronjs.org/docs/latest/tutorial/fuses). Playwright can't drive a binary without
 * inspection arguments: end-to-end tests run on the unpacked one.
 */
export const fuses: FuseV1Config = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  // Packing signs after this; without the reset macOS on arm64 refuses to start a changed binary.
  resetAdHocDarwinSignature: true,
  // The command line is plain Node; the app is not needed as one.
  [FuseV1Options.RunAsNode]: false,
  // Our pages set no cookies; encrypted ones would ask for the keychain at the first start.
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
