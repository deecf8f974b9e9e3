import { globSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { INSTRUMENTER_CONSTANTS, type MutantCoverage } from '@stryker-mutator/api/core';
import { declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
  type DryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  type TestRunner,
  type TestResult,
} from '@stryker-mutator/api/test-runner';
import { messageOf } from '../../app/format/error-message.ts';
import { collect, type Collected } from './collected.ts';

/**
 * The tests that mutants of `app/judge`, `app/reap`, `app/jobs` and `main/reaping` must not
 * survive: those that reach these folders without a process, a disk, a window or a timer.
 */
export const testFiles = [
  'test/unit/{agents,diagnose,jobs,judge,judge/vetoes,reap,run}/*.test.ts',
  'test/unit/supervisor/{confirmation,due-confirmation,freed,observer,prober}.test.ts',
  'test/unit/supervisor/{reaper,reaping-together,recovery,retries,unexplained-exits}.test.ts',
  'test/unit/hooks/sessions.test.ts',
  'test/unit/{ending/two-looks,remote/reaper}.test.ts',
  'test/property/{jobs,reap}/*.test.ts',
  'test/property/judge.test.ts',
];
/** It takes longer than all others together. */
const slowest = 'test/unit/jobs/find/large.test.ts';

/**
 * The object that Stryker's instrumenter reads and writes:
 * https://github.com/stryker-mutator/stryker-js/blob/master/packages/instrumenter/src/util/syntax-helpers.ts
 */
interface Switchboard {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: MutantCoverage;
}

/** A failed test with its message. */
interface Failure {
  readonly id: string;
  readonly message: string;
}

/**
 * Tries mutants in the process that loaded the tests, one after another. Stryker's own runner for
 * vitest starts a worker for each and loads fifty files in it: 3 s per mutant on an idle machine,
 * for 4,200 mutants. These tests share only what they import and wait for nothing, so a mutant
 * needs only the milliseconds of the tests that reach it. If a mutant leaves something behind, a
 * new process starts over.
 */
class InOneProcess implements TestRunner {
  readonly #switches: Switchboard;
  readonly #tests = new Map<string, { readonly test: Collected; ms: number }>();

  constructor(switches: Switchboard) {
    this.#switches = switches;
  }

  /**
   * Else Stryker would restart for each mutant that was also reached while files were loaded. No
   * mutant is active then, so nothing has to be loaded again.
   */
  capabilities(): { readonly reloadEnvironment: boolean } {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    const root = process.cwd();
    const inPlaceOf = new Map([
      ['vitest', new URL('collected.ts', import.meta.url).href],
      ['fast-check', new URL('few-runs.ts', import.meta.url).href],
    ]);
    const tests = pathToFileURL(join(root, 'test/')).href;
    registerHooks({
      resolve: (specifier, context, next) => {
        const url = context.parentURL?.startsWith(tests) === true ? inPlaceOf.get(specifier) : undefined;
        return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
      },
    });
    const names = testFiles.flatMap((pattern) => globSync(pattern, { cwd: root })).filter((name) => name !== slowest);
    const found = await collect(names.map((name) => ({ name, url: pathToFileURL(join(root, name)).href })));
    for (const test of found) this.#tests.set(test.name, { test, ms: 0 });
  }

  async dryRun(): Promise<DryRunResult> {
    const results: TestResult[] = [];
    for (const [id, one] of this.#tests) {
      this.#switches.currentTestId = id;
      const beganMs = performance.now();
      const failure = await this.#run(id);
      one.ms = performance.now() - beganMs;
      const base = { id, name: id, fileName: one.test.file, timeSpentMs: one.ms };
      results.push(
        failure === null
          ? { ...base, status: TestStatus.Success }
          : { ...base, status: TestStatus.Failed, failureMessage: failure.message },
      );
    }
    this.#switches.currentTestId = undefined;
    for (const result of results.filter(({ status }) => status === TestStatus.Success)) {
      const failure = await this.#run(result.id);
      if (failure !== null)
        throw new Error(`a test that can’t be run twice in one process: ${result.id}: ${failure.message}`);
    }
    const { mutantCoverage } = this.#switches;
    return {
      status: DryRunStatus.Complete,
      tests: results,
      ...(mutantCoverage === undefined ? {} : { mutantCoverage }),
    };
  }

  async mutantRun({
    activeMutant,
    testFilter,
    hitLimit,
    mutantActivation,
  }: MutantRunOptions): Promise<MutantRunResult> {
    if (mutantActivation === 'static')
      throw new Error('mutants of what is worked out while a module loads are not tried');
    // The quick ones first: the first failure is enough.
    const ids = (testFilter ?? [...this.#tests.keys()]).toSorted((one, other) => this.#msOf(one) - this.#msOf(other));
    let nrOfTests = 0;
    this.#switches.hitLimit = hitLimit;
    for (const id of ids) {
      this.#switches.activeMutant = activeMutant.id;
      this.#switches.hitCount = 0;
      const failure = await this.#run(id);
      const endless = determineHitLimitReached(this.#switches.hitCount, hitLimit);
      this.#switches.activeMutant = undefined;
      this.#switches.hitCount = undefined;
      nrOfTests += 1;
      if (failure === null) continue;
      await this.#requireClean(id);
      if (endless !== undefined)
        return { status: MutantRunStatus.Timeout, ...(endless.reason === undefined ? {} : { reason: endless.reason }) };
      return { status: MutantRunStatus.Killed, killedBy: [id], failureMessage: failure.message, nrOfTests };
    }
    return { status: MutantRunStatus.Survived, nrOfTests };
  }

  #msOf(id: string): number {
    return this.#tests.get(id)?.ms ?? 0;
  }

  /**
   * A test that also fails without the mutant was damaged by an earlier one: throws, upon which
   * Stryker tries this mutant again in a new process.
   */
  async #requireClean(id: string): Promise<void> {
    const failure = await this.#run(id);
    if (failure !== null) throw new Error(`an earlier mutant left something behind: ${id}: ${failure.message}`);
  }

  async #run(id: string): Promise<Failure | null> {
    const one = this.#tests.get(id);
    if (one === undefined) return { id, message: 'there is no such test' };
    try {
      await one.test.run();
      return null;
    } catch (error) {
      return { id, message: messageOf(error) };
    }
  }
}

const runner = (): TestRunner => {
  const all = globalThis as unknown as Record<string, Switchboard | undefined>;
  return new InOneProcess((all[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {}));
};

/** Loaded by Stryker. */
export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'one-process', Object.assign(runner, { inject: tokens() })),
];
