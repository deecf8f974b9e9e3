import { worded } from '../common/words.ts';
import { saidOf } from '../../../app/text/say.ts';
import { homedir } from 'node:os';
import { placesHere } from '../../store/places.ts';
import { resolve } from 'node:path';
import type { ExpositionFormat } from '../../../app/metrics/exposition.ts';
import { metricsText } from '../../publishing/collect.ts';
import { TextfileFailure, writeTextfile } from '../../publishing/textfile.ts';
import { type ExitStatus, exitStatus, NotDone } from '../common/exit-status.ts';
import type { Output } from '../common/output.ts';

/** Options of `curfew metrics`, checked. */
export interface MetricsOptions {
  readonly format: ExpositionFormat;
  /** Written instead of standard output, in the text format; `-` or null: none. */
  readonly textfile: string | null;
}

/**
 * `curfew metrics`: what the running supervisor published last and what the record counts, as
 * numbers for Prometheus. Looks at nothing itself.
 */
export const metrics = async ({ format, textfile }: MetricsOptions, output: Output): Promise<ExitStatus> => {
  const places = placesHere(homedir());
  if (textfile === null || textfile === '-') {
    await output.write(metricsText(places, textfile === '-' ? 'text' : format, output.warn));
    return exitStatus.done;
  }
  if (!textfile.endsWith('.prom'))
    output.warn(worded("curfew: node_exporter reads files that end in .prom only; {file} doesn't", { file: textfile }));
  try {
    writeTextfile(resolve(textfile), metricsText(places, 'text', output.warn));
  } catch (error) {
    if (error instanceof TextfileFailure) throw new NotDone(saidOf(error), { cause: error });
    throw error;
  }
  return exitStatus.done;
};
