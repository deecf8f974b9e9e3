import type { Said, SaidByKey } from '../../app/format/said.ts';
import { say } from '../../app/text/say.ts';
import { asPid } from '../../app/process/identity.ts';
import { isSameLivingProcess } from '../../app/process/row.ts';
import { formatMoment } from '../../app/format/age.ts';
import {
  type SupervisorClaim,
  type SupervisorHolder,
  type SupervisorLock,
  claimSupervisorLock,
  forgetLockRequest,
  requestLock,
  supervisorOf,
} from '../store/supervisor-lock.ts';
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

const described = (holder: SupervisorHolder | null): Said =>
  holder === null
    ? say('another Curfew process')
    : say(forms[holder.what], {
        pid: holder.pid,
        when: formatMoment(holder.sinceMs, Date.now()),
        mode: say(holder.mode ?? 'no mode chosen, so it observes'),
      });

/** The supervisor's lock, or which process holds it. */
export type Supervision =
  | { readonly ok: true; readonly lock: SupervisorLock }
  | { readonly ok: false; readonly problem: SaidByKey };

/**
 * The child of a service needs half a second to hear a request, and longer where it is just ending
 * a job. The window of the app waits for this.
 */
const maxYieldMs = 5_000;

/**
 * Tries again while the child of this machine's service gives the lock up.
 * @throws StoreFailure when the lock can't be tried, or the file system's error
 */
const afterYield = (lock: string, claim: () => SupervisorClaim): SupervisorClaim => {
  const untilMs = performance.now() + maxYieldMs;
  let last: SupervisorClaim;
  try {
    do {
      // Each time: a child that has just started forgets requests from before.
      requestLock(lock);
      last = claim();
    } while (last.kind === 'taken' && last.holder?.what === 'service' && performance.now() < untilMs);
  } finally {
    forgetLockRequest(lock);
  }
  return last;
};

/**
 * Takes the supervisor's lock of this home. A user's own Curfew takes it over from the service of
 * the machine.
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
  const { lock } = engine.places;
  const tried = (): SupervisorClaim => claimSupervisorLock(lock, self, lives(engine));
  const first = tried();
  const yields = first.kind === 'taken' && first.holder?.what === 'service' && what !== 'service';
  const claim = yields ? afterYield(lock, tried) : first;
  if (claim.kind === 'held') return { ok: true, lock: claim.lock };
  const holder = described(claim.holder);
  if (claim.holder?.what === 'service' && what !== 'service') {
    const problem = say('{holder} supervises here, and is just ending a job; try again in a moment', { holder });
    return { ok: false, problem };
  }
  const problem = say(
    '{holder} supervises here already ({lock}); end that one first, or give this one a CURFEW_HOME of its own',
    { holder, lock },
  );
  return { ok: false, problem };
};

/**
 * Returns the supervisor of this home in words, or null.
 * @throws StoreFailure when the lock can't be tried
 */
export const supervisorInWords = (engine: Supervised): Said | null => {
  const holder = supervisorOf(engine.places.lock, lives(engine));
  return holder === null ? null : described(holder === 'unknown' ? null : holder);
};
