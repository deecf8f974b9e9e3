import { english } from '../../../../app/text/english.ts';
import { leftOpenWord } from '../../../../app/text/left-open/left-open.ts';
import { openEngine } from '../../../engine/engine.ts';
import { confirmLeftOpen, endLeftOpen, intentToEnd, type LeftOpenEnd } from '../../../left-open/ending.ts';
import { leftOpenOf, leftOpenTools } from '../../../left-open/survey.ts';
import { type ExitStatus, NotDone, WrongCall } from '../../common/exit-status.ts';
import type { Output } from '../../common/output.ts';
import { printRan, printWouldRun } from './print-own-end.ts';

/** Options of `curfew reap --left-open`, checked. */
export interface ReapLeftOpenOptions {
  readonly id: string;
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly uid: number | null;
  /** Another machine; null: this one. */
  readonly host: string | null;
}

type Confirmed = Extract<LeftOpenEnd, { readonly kind: 'confirmed' }>;

const requireConfirmed = (id: string, came: LeftOpenEnd): Confirmed => {
  switch (came.kind) {
    case 'confirmed':
      return came;
    case 'not-found':
      throw new WrongCall(`nothing with the id ${id} is left open; \`curfew scan\` lists what is`);
    case 'refused':
      throw new NotDone(`${leftOpenWord(came.leftOpen)}: ${english.leftOpenRefusal(came.leftOpen) ?? ''}`);
    case 'changed':
      throw new NotDone(`${id} is not what it was a moment ago, so nothing was done.`);
  }
};

/** `curfew reap --left-open`: ends what a tool call left open, by the command of its keeper. */
export const reapLeftOpen = async (options: ReapLeftOpenOptions, output: Output): Promise<ExitStatus> => {
  if (options.host !== null) throw new WrongCall('--left-open works on this machine only');
  const engine = openEngine({ uid: options.uid, warn: output.warn, mode: 'enforce' });
  try {
    const tools = leftOpenTools(engine);
    const came = await confirmLeftOpen(options.id, async () => {
      const look = engine.observer.look();
      return { look, found: await leftOpenOf(tools, look) };
    });
    const confirmed = requireConfirmed(options.id, came);
    const ending = { source: engine.source, journal: engine.journal, now: Date.now, writer: engine.writer };
    if (options.dryRun) {
      const { found, look } = confirmed;
      return await printWouldRun(intentToEnd(found, look, 'command', ending), found.leftOpen.endWith, options, output);
    }
    const problem = engine.journalProblem();
    if (problem !== null) throw new NotDone(problem.message);
    return await printRan(await endLeftOpen(ending, confirmed, 'command'), options, output);
  } finally {
    engine.close();
  }
};
