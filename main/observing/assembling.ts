import { type AssembledJob, assemblingJobs } from '../../app/jobs/measure/assemble.ts';
import type { Diagnosis, JobId } from '../../app/model/job.ts';
import { quietWindowSeconds } from '../../app/judge/limits.ts';
import type { Steps } from '../../app/process/steps.ts';
import type { SocketProbing } from '../os/processes/probing.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { readExchanges } from './clients.ts';
import type { Scan } from './look-parts.ts';
import type { ObserverTools } from './observer-tools.ts';
import { ownerServiceOf } from './veto-context.ts';

/** What reads the sockets of this machine; undefined where nothing does. */
export const socketsOf = (source: ProcessSource): SocketProbing | undefined => source.sockets ?? source.probing;

/**
 * Measures what the jobs of a scan hold and do, and diagnoses what keeps them.
 * @param latest what the look before diagnosed
 */
export const assemblingScan = function* (
  { source, fileBytes }: Pick<ObserverTools, 'source' | 'fileBytes'>,
  { settings, table, known, drafts, facts, probes, spared, before }: Scan,
  latest: ReadonlyMap<JobId, readonly Diagnosis[]>,
): Steps<readonly AssembledJob[]> {
  const { backgroundMaxElapsedSeconds, backgroundMaxElapsedSecondsHardCap } = settings;
  const exchanges = readExchanges(socketsOf(source), table, drafts, facts, settings);
  yield;
  return yield* assemblingJobs({
    table,
    drafts,
    facts,
    outputBytes: fileBytes,
    ownerService: (owner) => ownerServiceOf(source, table, owner),
    keptElsewhere: [...known.flatMap(({ keep }) => keep?.kept ?? []), ...spared.carried],
    witnesses: before,
    keeps: spared.keeps,
    exchanges,
    diagnosing: {
      probes,
      latest,
      patienceSeconds: quietWindowSeconds(backgroundMaxElapsedSeconds),
      limitSeconds: backgroundMaxElapsedSeconds,
      hardCapSeconds: backgroundMaxElapsedSecondsHardCap,
    },
  });
};
