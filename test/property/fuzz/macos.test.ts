import { readFileSync } from 'node:fs';
import { environmentNames } from '../../../app/agents/signatures.ts';
import { lsofFactsIn } from '../../../main/os/darwin/ps/lsof.ts';
import { processArgumentsIn } from '../../../main/os/darwin/kernel/arguments.ts';
import { argumentTextsIn, shortName, splitArguments, unvis } from '../../../main/os/darwin/ps/ps-arguments.ts';
import { fieldsIn } from '../../../main/os/darwin/ps/ps-fields.ts';
import { markerNames } from '../../../main/os/processes/environ.ts';
import { neverThrowsOrHangs } from './mutations.ts';

const recorded = (name: string): Buffer =>
  readFileSync(new URL(`../../unit/os/darwin/fixtures/${name}`, import.meta.url));

neverThrowsOrHangs('ps, fields', [recorded('ps-fields.txt')], (bytes) =>
  bytes.toString('utf8').split('\n').map(fieldsIn),
);
neverThrowsOrHangs('ps, arguments', [recorded('ps-arguments.txt'), 'M-CM-)\\012M^A\\240'], (bytes) => {
  const text = bytes.toString('utf8');
  return [...argumentTextsIn(text).values(), text].map((one) => [unvis(one), splitArguments(one), shortName(one)]);
});
neverThrowsOrHangs(
  'lsof',
  [
    'p61296\0\nfcwd\0l \0tDIR\0n/Users/me/shop\0\nf4\0l \0tIPv4\0PTCP\0n127.0.0.1:3000\0TST=LISTEN\0\np7\0\nf1\0lW\0tREG\0n/x\0\n',
  ],
  (bytes) => lsofFactsIn(bytes.toString('utf8')),
);
const names = markerNames(environmentNames);
neverThrowsOrHangs(
  'KERN_PROCARGS2',
  [Buffer.from('\x02\0\0\0/bin/bash\0\0\0\0bash\0-l\0CLAUDECODE=1\0PATH=/bin\0\0ptr_munge=\0', 'latin1')],
  (bytes) => processArgumentsIn(bytes, names),
);
