import { contextBridge, ipcRenderer } from 'electron';
import { bridgeOver } from './bridge.ts';

// Runs in the sandbox before each page, where only a part of Electron can be required
// (https://www.electronjs.org/docs/latest/tutorial/sandbox#preload-scripts); it is built into one
// CommonJS file.
contextBridge.exposeInMainWorld('curfew', bridgeOver(ipcRenderer));
