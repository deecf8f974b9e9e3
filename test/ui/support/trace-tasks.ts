import type { Browser, Page } from '@playwright/test';
import { z } from 'zod';

// The form of a trace:
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
const event = z.looseObject({
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  /** Wall clock and processor time of the event, microseconds. */
  dur: z.number().optional(),
  tdur: z.number().optional(),
  args: z.looseObject({ name: z.string().optional() }).optional(),
});
const trace = z.object({ traceEvents: z.array(event) });

/**
 * What the main threads of the browser's pages did in one go while `act` ran, task by task,
 * milliseconds.
 */
export const traceTasks = async (
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
): Promise<readonly { readonly wallMs: number; readonly cpuMs: number }[]> => {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] });
  await act();
  const { traceEvents } = trace.parse(JSON.parse((await browser.stopTracing()).toString('utf8')));
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}:${tid}`),
  );
  return traceEvents
    .filter(({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && threads.has(`${pid}:${tid}`))
    .map(({ dur = 0, tdur = 0 }) => ({ wallMs: dur / 1000, cpuMs: tdur / 1000 }));
};
