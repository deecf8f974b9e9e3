import { join } from 'node:path';
import { z } from 'zod';
import { once } from '../../../app/format/once.ts';
import { redactCommand } from '../../../app/format/secrets/redact.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { jobIdPattern } from '../../../app/jobs/ledger/job-id.ts';
import { readJsonFile } from '../../store/files/json-file.ts';
import { writeWholeFile } from '../../store/files/whole-file.ts';
import type { Job } from '../../../app/model/job.ts';
import type { Places } from '../../store/places.ts';

const keepSchema = z.object({
  job: z.string().regex(jobIdPattern),
  untilMs: z.number(),
  /** Redacted. */
  reason: z.string(),
  agent: z.string(),
  session: z.string().nullable(),
});

/** A job that its own session keeps, and why. */
export type SessionKeep = z.infer<typeof keepSchema>;

const schema = once(() => z.object({ version: z.literal(1), keeps: z.array(keepSchema) }));

const maxKeeps = 200;

/**
 * Why sessions keep what they keep. The keep itself stands where the user's does (`SparedFile`),
 * and says which of the two it is.
 */
export class SessionKeeps {
  readonly #path: string;

  constructor({ state }: Pick<Places, 'state'>) {
    this.#path = join(state, 'session-keeps.json');
  }

  #read(): readonly SessionKeep[] {
    const file = readJsonFile(this.#path);
    const parsed = schema().safeParse(file.kind === 'value' ? file.value : null);
    return parsed.success ? parsed.data.keeps : [];
  }

  /** Why a session keeps a job; null: it is the user's keep, or the reason was lost. */
  of({ id, keptBy }: Pick<Job, 'id' | 'keptBy'>): SessionKeep | null {
    return keptBy === 'session' ? (this.#read().find(({ job }) => job === id) ?? null) : null;
  }

  /**
   * Records a keep; those that are over are forgotten.
   * @throws the file system's error
   */
  add(keep: SessionKeep, nowMs: number): void {
    const others = this.#read().filter(({ job, untilMs }) => job !== keep.job && untilMs > nowMs);
    const reason = visibleText(redactCommand(keep.reason));
    const keeps = [...others.slice(1 - maxKeeps), { ...keep, reason }];
    writeWholeFile(this.#path, `${JSON.stringify({ version: 1, keeps })}\n`);
  }
}
