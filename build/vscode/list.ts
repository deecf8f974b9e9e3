import * as vscode from 'vscode';
import { formatAge } from '../../app/format/age.ts';
import { formatBytes } from '../../app/format/bytes.ts';
import { visibleText } from '../../app/format/visible.ts';
import type { Job } from './ask.ts';

/** Proved by Curfew, or by marks alone: what no session wants any more. */
const leftStates: ReadonlySet<string> = new Set(['orphaned', 'probable']);

/** Returns the jobs that are left over, the largest first. */
export const leftOver = (jobs: readonly Job[]): readonly Job[] =>
  jobs
    .filter(({ verdict }) => leftStates.has(verdict.state))
    .toSorted((one, other) => other.holds.rssBytes - one.holds.rssBytes);

/** Returns the memory of jobs, in bytes. */
export const memoryOf = (jobs: readonly Job[]): number => jobs.reduce((sum, { holds }) => sum + holds.rssBytes, 0);

/** The list: a row for each job that is left over. */
export class JobList implements vscode.TreeDataProvider<Job> {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  #jobs: readonly Job[] = [];

  show(jobs: readonly Job[]): void {
    this.#jobs = jobs;
    this.#changed.fire();
  }

  /** Returns a job that is shown now; undefined: it is not. */
  find(wanted: string): Job | undefined {
    return this.#jobs.find(({ id }) => id === wanted);
  }

  getChildren(of?: Job): Job[] {
    return of === undefined ? [...this.#jobs] : [];
  }

  getTreeItem({ id, agent, command, project, ageSeconds, holds, verdict }: Job): vscode.TreeItem {
    const item = new vscode.TreeItem(visibleText(command));
    const ports = holds.ports.map((port) => vscode.l10n.t('port {0}', port));
    item.id = id;
    item.description = [formatAge(ageSeconds), formatBytes(holds.rssBytes), ...ports].join(' · ');
    item.tooltip = [command, [agent, project].filter(Boolean).join(', '), ...verdict.reasons.map(({ text }) => text)]
      .map(visibleText)
      .join('\n');
    return item;
  }
}
