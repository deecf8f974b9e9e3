import { counted } from '../../../../app/text/figures.ts';
import { agrees } from '../../common/agrees.ts';
import type { Output } from '../../common/output.ts';
import { scanTable } from '../../common/scan-table.ts';
import type { JudgedJob, Look } from '../../../observing/look.ts';
import { byHand, type ReapOptions } from './reap-selection.ts';

const isProbable = ({ verdict }: JudgedJob): boolean => verdict.state === 'probable';

/** What a pass ends, and what it leaves because only marks name it. */
export interface Agreed {
  readonly due: readonly JudgedJob[];
  readonly left: readonly JudgedJob[];
}

const asks = (options: ReapOptions, output: Output): boolean =>
  !options.json && output.isTerminal && process.stdin.isTTY;

/**
 * Returns what of the due jobs may be ended: what is only probably left over by `--probable` alone,
 * with the user's yes on a terminal, elsewhere with `--yes`. What was named by hand is ended.
 */
export const agreedOn = async (
  look: Look,
  due: readonly JudgedJob[],
  options: ReapOptions,
  output: Output,
): Promise<Agreed> => {
  if (byHand(options)) return { due, left: [] };
  const probable = due.filter(isProbable);
  if (probable.length === 0) return { due, left: [...look.jobs.values()].filter(isProbable) };
  if (options.yes || options.dryRun) return { due, left: [] };
  const proved = { due: due.filter((one) => !isProbable(one)), left: probable };
  if (!asks(options, output)) {
    output.warn(`curfew: ${counted(probable.length, 'job')} probably left over: \`--probable\` needs \`--yes\` here`);
    return proved;
  }
  const only: Look = { ...look, jobs: new Map(probable.map((judged) => [judged.job.id, judged])) };
  await output.write(scanTable(only, output, { explain: false, all: true }));
  const question = `Only marks say that an agent started ${probable.length === 1 ? 'it' : 'them'}. End ${counted(probable.length, 'job')}? [y/N] `;
  return (await agrees(question)) ? { due, left: [] } : proved;
};

/** Says what was left because only marks name it; null for nothing. */
export const sayLeft = (left: readonly JudgedJob[], { probable }: Pick<ReapOptions, 'probable'>): string | null => {
  if (left.length === 0) return null;
  const said = `${counted(left.length, 'job')} probably left over, not ended`;
  // What is due was asked about, and the answer was no.
  const isYoung = probable && left.every(({ verdict }) => verdict.action !== 'reap');
  return isYoung
    ? `${said}: within the grace of leftovers. \`--max-age 0s\` ends what is younger, too.`
    : `${said}: \`curfew reap --probable\` ends what you agree to.`;
};
