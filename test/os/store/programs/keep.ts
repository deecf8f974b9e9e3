// node keep.ts PATH JOB UNTIL: what `curfew keep` does to the ledger; UNTIL "none" is `curfew
// unkeep`.
import { asJobId } from '../../../../app/jobs/model/job.ts';
import { LedgerFile } from '../../../../main/store/ledger/ledger.ts';

const [path = '', job = '', until = 'none'] = process.argv.slice(2);
const ledger = new LedgerFile(path, Date.now, (notice) => void process.stdout.write(`notice ${notice.kind}\n`));
if (until === 'none') ledger.unkeep(asJobId(job));
else ledger.keep(asJobId(job), Number(until));
ledger.close();
