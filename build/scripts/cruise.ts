import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join, sep } from 'node:path';
import { z } from 'zod';
import { toolElsewhere } from './tool.ts';

const project = join(import.meta.dirname, '../..');
const layers = ['app', 'main', 'renderer', 'test', 'build'];

const Report = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
  modules: z.array(z.object({ source: z.string(), dependencies: z.array(z.object({ resolved: z.string() })) })),
});

/** The result of checking all imports below a folder. Paths are relative to that folder. */
export interface Cruise {
  /** The source files of the folder. */
  readonly files: readonly string[];
  /** Source files that the cruise never saw: not empty means that the rules proved nothing. */
  readonly unseen: readonly string[];
  /** Number of imports in all files. */
  readonly imports: number;
  readonly breaches: readonly { readonly rule: string; readonly from: string; readonly to: string }[];
}

/**
 * Checks every import below `root` against build/import-rules.ts. dependency-cruiser sees nothing
 * if it finds only TypeScript 7, and then reports no breaches; so the files it saw are compared
 * with the existing files. Throws when it doesn't run.
 */
export const cruise = (root: string): Cruise => {
  const present = layers.filter((layer) => existsSync(join(root, layer)));
  const [program, ...before] = toolElsewhere('depcruise');
  const result = spawnSync(
    program,
    [...before, '--config', join(project, 'build/import-rules.ts'), '--output-type', 'json', ...present],
    { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  if (result.error !== undefined) throw new Error('dependency-cruiser could not be started', { cause: result.error });
  if (result.stdout === '') throw new Error(`dependency-cruiser printed no report: ${result.stderr}`);
  const report = Report.parse(JSON.parse(result.stdout));
  const seen = new Set(report.modules.map((module) => module.source));
  const files = globSync(
    present.map((layer) => `${layer}/**/*.{ts,tsx,mts,js,mjs}`),
    { cwd: root, exclude: ['build/out/**', '**/node_modules/**'] },
  ).map((file) => file.split(sep).join('/'));
  return {
    files,
    unseen: files.filter((file) => !seen.has(file)),
    imports: report.modules.reduce((sum, module) => sum + module.dependencies.length, 0),
    breaches: report.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
};
