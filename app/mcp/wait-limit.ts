import { callLimits } from '../agents/call-limits.ts';
import { toolLimits } from './tools.ts';

/** What is known of the client of one call. */
export interface WaitingClient {
  readonly name: string | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** It asks for progress. */
  readonly progress: boolean;
  /** After how many seconds it has given up a call before; null: never. */
  readonly gaveUpAfter: number | null;
}

/**
 * A client gives up after a minute if nothing is set (`DEFAULT_REQUEST_TIMEOUT_MSEC` of the SDK).
 * One that asks for progress waits longer: for ten minutes, as far as seen.
 */
const unknownSeconds = ({ progress }: WaitingClient): number => (progress ? 600 : 60);

/** The answer comes before the client gives up, also on a busy machine. Seconds. */
const margin = (limit: number): number => Math.min(Math.max(limit / 6, 2), 30);

/** How long one wait may take so that its client hears how to go on, whole seconds. */
export const waitSeconds = (client: WaitingClient, asked: number | undefined): number => {
  const known = Object.values(callLimits).find((one) => one !== 'none' && one.client === client.name);
  const limits = known === 'none' ? undefined : known;
  const variable = limits?.environment ?? null;
  const said = variable === null ? Number.NaN : Number(client.environment[variable]) / 1000;
  const usual = said > 0 ? said : (limits?.seconds ?? unknownSeconds(client));
  const limit = Math.min(usual, client.gaveUpAfter ?? Infinity);
  const longest = Math.max(1, Math.floor(limit - margin(limit)));
  return Math.min(longest, asked ?? Infinity, toolLimits.waitSeconds);
};
