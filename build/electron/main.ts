// The desktop app's main file for Electron 25, for tests alone.
export * from './node-18.ts';
export * from '../../main/shell/main.ts';
