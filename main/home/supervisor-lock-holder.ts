import { say } from '../../app/text/said/say.ts';
import { asPid } from '../../app/process/identity.ts';
import { isSameLivingProcess } from '../../app/process/row.ts';
import { formatMoment } from '../../app/format/age.ts';
import type { SupervisorHolder, SupervisorLock } from '../store/supervisor-lock.ts';
import { claimSupervisorLock, supervisorOf } from '../store/supervisor-lock.ts';
import type { Engine } from '../engine/engine.ts';

type Supervised = Pick<Engine, 'places' | 'settings' | 'source'>;

const lives =
  ({ source }: Supervised) =>
  (holder: SupervisorHolder): boolean =>
    isSameLivingProcess(source.read(asPid(holder.pid)), holder);

const forms = {
  watch: '`curfew watch`, process {pid}, started {when} ({mode})',
  web: '`curfew web`, process {pid}, started {when} ({mode})',
  app: 'the Curfew app, process {pid}, started {when} ({mode})',
  service: 'the service of this machine, process {pid}, started {when} ({mode})',
} as const satisfies Readonly<Record<SupervisorHolder['what'], string>>;

const described = (holder: SupervisorHolder | null): string =>
  holder === null
    ? say('another Curfew process')
    : say(forms[holder.what], {
        pid: holder.pid,
        when: formatMoment(holder.sinceMs, Date.now()),
        mode: holder.mode ?? say('no mode chosen, so it observes'),
      });

/** The supervisor's lock, or which process holds it. */
export type Supervision =
  | { readonly ok: true; readonly lock: SupervisorLock }
  | { readonly ok: false; readonly problem: string };

/**
 * Takes the supervisor's lock of this home.
 * @throws StoreFailure when the lock can't be tried
 */
export const takeSupervision = (engine: Supervised, what: SupervisorHolder['what']): Supervision => {
  const own = engine.source.read(asPid(process.pid));
  const self = {
    pid: process.pid,
    startTicks: own?.startTicks ?? 0,
    sinceMs: Date.now(),
    what,
    mode: engine.settings().mode,
  };
  const claim = claimSupervisorLock(engine.places.lock, self, lives(engine));
  if (claim.kind === 'held') return { ok: true, lock: claim.lock };
  const problem = `${described(claim.holder)} supervises here already (${engine.places.lock}); end that one first, or give this one a CURFEW_HOME of its own`;
  return { ok: false, problem };
};

/**
 * Returns the supervisor of this home in words, or null.
 * @throws StoreFailure when the lock can't be tried
 */
export const supervisorInWords = (engine: Supervised): string | null => {
  const holder = supervisorOf(engine.places.lock, lives(engine));
  return holder === null ? null : described(holder === 'unknown' ? null : holder);
};
