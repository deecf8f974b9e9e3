// npm run shell: every shell file of the project through shellcheck.
import { join } from 'node:path';
import { shellFaults, shellFilesIn } from './shell-files.ts';

const root = join(import.meta.dirname, '../..');
const files = shellFilesIn(root);
const faults = shellFaults(root, files);
for (const { file, line, code, message } of faults) console.error(`${file}:${line}\n    SC${code}: ${message}`);
console.log(`${files.length} shell files, ${faults.length} faults`);
if (faults.length > 0 || files.length === 0) process.exitCode = 1;
