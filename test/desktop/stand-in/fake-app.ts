import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, LoginItemSettings, Settings } from 'electron';
import { desktop, preventable } from './desktop.ts';

type Used =
  | 'setPath'
  | 'getPath'
  | 'getVersion'
  | 'getAppPath'
  | 'getPreferredSystemLanguages'
  | 'isPackaged'
  | 'requestSingleInstanceLock'
  | 'enableSandbox'
  | 'setAppUserModelId'
  | 'setToastActivatorCLSID'
  | 'setActivationPolicy'
  | 'whenReady'
  | 'quit'
  | 'exit'
  | 'focus'
  | 'setLoginItemSettings';

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/**
 * `app`, as far as the shell uses it. The lock is a file with a pid; the test tells the first
 * instance of a second start.
 */
class FakeApp extends EventEmitter implements Pick<App, Used> {
  isPackaged = false;
  readonly paths = new Map<string, string>([['documents', '/nowhere/documents']]);
  readonly calls: string[] = [];
  readonly commandLine = { getSwitchValue: (): string => '' };
  loginItem: Partial<LoginItemSettings> = { openAtLogin: false };

  setPath(name: string, path: string): void {
    mkdirSync(path, { recursive: true });
    this.paths.set(name, path);
  }

  getPath(name: string): string {
    const path = this.paths.get(name);
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }

  getVersion = (): string => '0.0.0';
  getAppPath = (): string => '/nowhere/app';
  languages = ['en-GB'];
  getPreferredSystemLanguages = (): string[] => this.languages;

  requestSingleInstanceLock(): boolean {
    const file = join(this.getPath('userData'), 'stand-in.lock');
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
    } catch {
      if (isRunning(Number(readFileSync(file, 'utf8')))) return false;
      writeFileSync(file, String(process.pid));
    }
    process.on('exit', () => rmSync(file, { force: true }));
    return true;
  }

  enableSandbox(): void {
    desktop.mustNotBeReady('app.enableSandbox()');
    this.calls.push('enableSandbox');
  }

  setAppUserModelId(id: string): void {
    this.calls.push(`setAppUserModelId ${id}`);
  }

  setToastActivatorCLSID(id: string): void {
    if (!/^\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/iu.test(id)) throw new Error('not a CLSID');
    this.calls.push(`setToastActivatorCLSID ${id}`);
  }

  setActivationPolicy(policy: string): void {
    this.calls.push(`setActivationPolicy ${policy}`);
  }

  focus(): void {
    this.calls.push('focus');
  }

  getLoginItemSettings = (): LoginItemSettings =>
    // Each system fills in a part of it.
    this.loginItem as LoginItemSettings;

  setLoginItemSettings({ openAtLogin }: Settings): void {
    this.loginItem = {
      ...this.loginItem,
      openAtLogin: openAtLogin ?? false,
      executableWillLaunchAtLogin: openAtLogin ?? false,
    };
  }

  async whenReady(): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (desktop.ready) return;
    desktop.ready = true;
    this.emit('ready');
    desktop.tell({ kind: 'ready' });
  }

  quit(): void {
    const event = preventable();
    this.emit('before-quit', event);
    if (event.defaultPrevented) return;
    for (const window of desktop.windows.values()) window.close();
    this.emit('will-quit', preventable());
    this.exit(0);
  }

  exit(code = 0): void {
    if (desktop.exited !== null) return;
    desktop.exited = code;
    desktop.tell({ kind: 'exit', code });
  }
}

/** See `FakeApp`. */
export const app = new FakeApp();
