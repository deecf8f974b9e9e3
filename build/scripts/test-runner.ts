import { readFileSync } from 'node:fs';
import { type RunnerTask, TestRunner } from 'vitest';
import { fromRoot } from './failures.ts';
import { mayRetry } from './retries.ts';

/** vitest's own runner, which retries only tests of files that allow it (`mayRetry`). */
export default class extends TestRunner {
  readonly #mayRetry = new Map<string, boolean>();

  override async onBeforeRunTask(task: RunnerTask): Promise<void> {
    if (task.type === 'test' && !this.#allowed(task.file.filepath)) task.retry = 0;
    await super.onBeforeRunTask(task);
  }

  #allowed(path: string): boolean {
    const known = this.#mayRetry.get(path);
    if (known !== undefined) return known;
    const allowed = mayRetry(fromRoot(this.config.root, path), readFileSync(path, 'utf8'));
    this.#mayRetry.set(path, allowed);
    return allowed;
  }
}
