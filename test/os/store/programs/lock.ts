// node lock.ts PATH: tries to become the supervisor and prints "held", or "taken" with the holder
// as JSON; holds it until it is killed or its input ends.
import { claimSupervisorLock, type SupervisorClaim } from '../../../../main/store/supervisor-lock.ts';

const [path = ''] = process.argv.slice(2);
const self = { pid: process.pid, startTicks: 5, sinceMs: Date.now(), what: 'watch', mode: 'enforce' } as const;
const attempt = (): SupervisorClaim => claimSupervisorLock(path, self, () => true);
let claim = attempt();
// The holder writes its name a moment after taking the lock, on a busy machine later than others
// wait.
while (claim.kind === 'taken' && claim.holder === null) claim = attempt();
if (claim.kind === 'taken') {
  process.stdout.write(`taken ${JSON.stringify(claim.holder)}\n`);
} else {
  process.stdout.write('held\n');
  process.stdin.resume();
  process.stdin.on('end', () => {
    claim.lock.release();
  });
}
