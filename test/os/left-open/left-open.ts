import { z } from 'zod';
import { runCurfew, type RunOptions, scan } from '../scene/curfew.ts';
import type { Scene } from '../scene/scene.ts';

/** The addition to `curfew scan --json` that is about what tool calls left open. */
const leftOpen = z.looseObject({
  id: z.string().regex(/^[0-9a-f]+$/u),
  keeper: z.enum(['tmux', 'screen', 'podman', 'docker']),
  name: z.string(),
  image: z.string().nullable(),
  owner: z.enum(['live', 'gone', 'unknown']),
  startedAt: z.iso.datetime(),
  canEnd: z.boolean(),
  refusal: z.string().nullable(),
  endWith: z.string().nullable(),
  rssBytes: z.int().nonnegative(),
  processes: z.array(z.looseObject({ pid: z.int().positive(), args: z.string() })),
});

/** What a scan says is left open. */
export const leftOpenIn = async (
  stage: Scene,
  options: RunOptions = {},
): Promise<readonly z.infer<typeof leftOpen>[]> =>
  z.array(leftOpen).parse((await scan(stage, [], options))['leftOpen']);

/** Tries to end it; the exit status, and what was said. */
export const endLeftOpen = async (
  stage: Scene,
  id: string,
): Promise<{ readonly code: number; readonly said: string }> => {
  const { code, stdout, stderr } = await runCurfew(stage, ['reap', '--left-open', id]);
  return { code, said: `${stdout}\n${stderr}` };
};
