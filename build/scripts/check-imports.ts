// npm run imports: every import of the project against build/import-rules.ts.
import { join } from 'node:path';
import rules from '../import-rules.ts';
import { cruise } from './cruise.ts';

const advice = new Map(rules.forbidden?.map((rule) => [rule.name, rule.comment]));
const { files, unseen, imports, breaches } = cruise(join(import.meta.dirname, '../..'));

for (const { rule, from, to } of breaches) console.error(`${from} -> ${to}\n    ${rule}: ${advice.get(rule) ?? ''}`);
for (const file of unseen)
  console.error(`${file}\n    was not seen by dependency-cruiser, so its imports are unproven`);
console.log(`${files.length} files, ${imports} imports, ${breaches.length} breaches, ${unseen.length} files unseen`);
if (breaches.length > 0 || unseen.length > 0 || files.length === 0 || imports === 0) process.exitCode = 1;
