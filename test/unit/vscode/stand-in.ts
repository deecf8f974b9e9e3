// Stands in for the editor in the test of the extension: what it uses of its API, by its types.
import type * as vscode from 'vscode';

/** What the extension told the editor. */
export const seen = {
  item: { text: '', shown: false },
  context: '',
  said: [] as string[],
  /** The button that is pressed in the next dialogue. */
  press: undefined as string | undefined,
  commands: new Map<string, (...args: never[]) => unknown>(),
  settings: new Map<string, unknown>(),
};

const tell = async (message: string, ...rest: unknown[]): Promise<string | undefined> => {
  const [options] = rest;
  const detail = typeof options === 'object' ? (options as vscode.MessageOptions).detail : undefined;
  seen.said.push([message, detail].filter(Boolean).join('\n'));
  return Promise.resolve(seen.press);
};

export class EventEmitter {
  readonly event = (): void => undefined;
  readonly fire = (): void => undefined;
}

export class TreeItem {
  readonly label: string;
  constructor(label: string) {
    this.label = label;
  }
}

export const StatusBarAlignment = { Left: 1, Right: 2 };

export const l10n = {
  t: (text: string, ...words: unknown[]): string => text.replaceAll(/\{(\d)\}/gu, (_, at) => String(words[Number(at)])),
};

export const window = {
  state: { focused: true },
  createStatusBarItem: () => ({
    set text(text: string) {
      seen.item.text = text;
    },
    show: () => (seen.item.shown = true),
    hide: () => (seen.item.shown = false),
    dispose: () => undefined,
  }),
  registerTreeDataProvider: () => undefined,
  onDidChangeWindowState: () => undefined,
  showInformationMessage: tell,
  showWarningMessage: tell,
  showErrorMessage: tell,
};

export const workspace = {
  getConfiguration: () => ({ get: (name: string, usual: unknown) => seen.settings.get(name) ?? usual }),
  onDidChangeConfiguration: () => undefined,
};

export const commands = {
  registerCommand: (name: string, run: (...args: never[]) => unknown): void => void seen.commands.set(name, run),
  executeCommand: async (_name: string, _key: string, value: string) => {
    seen.context = value;
    return Promise.resolve();
  },
};
