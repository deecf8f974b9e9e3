import * as vscode from 'vscode';
import { formatBytes } from '../../app/format/bytes.ts';
import { visibleText } from '../../app/format/visible.ts';
import { ask, type Job, Missing, pickedForm, reapForm, scanForm } from './ask.ts';
import { JobList, leftOver, memoryOf } from './list.ts';

const { t } = vscode.l10n;

const setting = <T>(name: string, usual: T): T => vscode.workspace.getConfiguration('curfew').get(name, usual);

/** Foreign text for a notice, in which the editor takes `[text](command:name)` for a link. */
const noticed = (text: string): string => visibleText(text).replaceAll('](', '] (');

const messageOf = (error: unknown): string => noticed(error instanceof Error ? error.message : String(error));

/** Looks at what is left over as long as the window has the focus, one look at a time. */
class Watching implements vscode.Disposable {
  readonly list = new JobList();
  readonly #item = vscode.window.createStatusBarItem('curfew.leftovers', vscode.StatusBarAlignment.Right, 0);
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #lookedAtMs = 0;

  constructor() {
    this.#item.name = 'Curfew';
    this.#item.command = 'curfew.leftovers.focus';
  }

  async look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** Looks now if it is time, and again later; without the focus only once. */
  follow(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (!vscode.window.state.focused && this.#lookedAtMs > 0) return;
    // A timer that gets too much, or no number, does not wait at all.
    const everyMs = Math.min(86_400, Math.max(10, Number(setting<unknown>('everySeconds', 60)) || 60)) * 1000;
    const waitMs = Math.max(0, this.#lookedAtMs + everyMs - Date.now());
    this.#timer = setTimeout(() => void this.look().then(() => this.follow()), waitMs);
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#item.dispose();
  }

  async #look(): Promise<void> {
    this.#lookedAtMs = Date.now();
    try {
      const { jobs } = await ask(setting('command', 'curfew'), ['scan'], scanForm);
      const left = leftOver(jobs);
      this.#show(left.length === 0 ? 'nothing' : 'some', left);
      const text = t('{0} left over · {1}', left.length, formatBytes(memoryOf(left)));
      this.#item.text = `$(history) ${left.length === 0 ? t('nothing left over') : text}`;
      this.#item.tooltip = t('What coding agents left running. Click for the list.');
      this.#item.show();
    } catch (error) {
      const isMissing = error instanceof Missing;
      this.#show(isMissing ? 'missing' : 'failed', []);
      this.#item.text = '$(warning) Curfew';
      this.#item.tooltip = t('Curfew could not look: {0}', messageOf(error));
      // Without the command there is nothing to tell every user of this editor.
      if (isMissing) this.#item.hide();
      else this.#item.show();
    }
  }

  #show(state: 'nothing' | 'some' | 'missing' | 'failed', jobs: readonly Job[]): void {
    void vscode.commands.executeCommand('setContext', 'curfew.state', state);
    this.list.show(jobs);
  }
}

/** Asks what would be ended, shows it, and ends it if the user says so. Curfew decides again. */
const end = async ({ id, command }: Job): Promise<void> => {
  const curfew = setting('command', 'curfew');
  const [plan] = (await ask(curfew, ['reap', '--job', id, '--dry-run'], reapForm)).incidents;
  const why = (reasons: readonly { readonly text: string }[]): string =>
    reasons.map(({ text }) => noticed(text)).join('\n');
  if (plan === undefined || plan.processes.length === 0) {
    const reason = plan === undefined ? t('it has ended already') : why(plan.reasons);
    await vscode.window.showInformationMessage(t('Curfew ends nothing of it: {0}', reason));
    return;
  }
  const { processes, reasons } = plan;
  const bytes = formatBytes(processes.reduce((sum, { rssBytes }) => sum + rssBytes, 0));
  const detail = `${visibleText(command)}\n\n${t('Processes: {0}, {1}', processes.length, bytes)}\n${why(reasons)}`;
  const yes = t('End');
  if ((await vscode.window.showWarningMessage(t('End this?'), { modal: true, detail }, yes)) !== yes) return;
  const [done] = (await ask(curfew, ['reap', '--job', id], reapForm, 0)).incidents;
  const isEnded = done?.outcome === 'reaped' || done?.outcome === 'killed';
  const said = isEnded
    ? t('Ended, {0} freed.', formatBytes(done.freed.rssBytes))
    : t('Not ended: {0}', done === undefined ? t('it has ended already') : why(done.reasons));
  // Not waited for: it stays until the user closes it.
  void (isEnded ? vscode.window.showInformationMessage(said) : vscode.window.showWarningMessage(said));
};

/** Called by the editor once it has started. */
export const activate = (context: vscode.ExtensionContext): void => {
  const watching = new Watching();
  const told = (work: Promise<void>): Promise<void> =>
    work
      .catch(
        async (error: unknown) =>
          void vscode.window.showErrorMessage(t('Curfew could not look: {0}', messageOf(error))),
      )
      .then(async () => watching.look());
  context.subscriptions.push(
    watching,
    vscode.window.registerTreeDataProvider('curfew.leftovers', watching.list),
    vscode.commands.registerCommand('curfew.refresh', async () => watching.look()),
    vscode.commands.registerCommand('curfew.end', async (picked: unknown) => {
      const { data } = pickedForm.safeParse(picked);
      const job = data === undefined ? undefined : watching.list.find(data.id);
      if (job !== undefined) await told(end(job));
    }),
    vscode.window.onDidChangeWindowState(() => watching.follow()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('curfew')) void watching.look();
    }),
  );
  watching.follow();
};
