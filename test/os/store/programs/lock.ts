// node lock.ts PATH: tries to become the supervisor and prints "held", or "taken" and who it is by JSON; holds it until it is killed or its
// input ends.
import { claimSupervisorLock } from '../../../../main/store/supervisor-lock.ts';

const [path = ''] = process.argv.slice(2);
const self = { pid: process.pid, startTicks: 5, sinceMs: Date.now(), what: 'watch', mode: 'enforce' } as const;
const claim = claimSupervisorLock(path, self, () => true);
if (claim.kind === 'taken') {
  process.stdout.write(`taken ${JSON.stringify(claim.holder)}\n`);
} else {
  process.stdout.write('held\n');
  process.stdin.resume();
  process.stdin.on('end', () => {
    claim.lock.release();
  });
}
