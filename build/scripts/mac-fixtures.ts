// npm run mac-fixtures -- FOLDER NAME: takes what a Mac said (the workflow's `what-macos-…-says`:
// doctor.json and report.txt in FOLDER) into test/darwin/fixtures/NAME.json, which the tests of
// what Macs said read from then on. INTO is another folder, for the test of this command.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportedAnswers } from './mac-report.ts';

const [folder, name, into] = process.argv.slice(2);
if (folder === undefined || name === undefined || !/^[\w.-]+$/u.test(name)) {
  console.error('usage: mac-fixtures.ts FOLDER NAME [INTO]');
  process.exitCode = 2;
} else {
  const answers = reportedAnswers(readFileSync(join(folder, 'report.txt'), 'utf8'));
  const doctor: unknown = JSON.parse(readFileSync(join(folder, 'doctor.json'), 'utf8'));
  const fixtures = into ?? join(import.meta.dirname, '../../test/darwin/fixtures');
  mkdirSync(fixtures, { recursive: true });
  const file = join(fixtures, `${name}.json`);
  writeFileSync(file, `${JSON.stringify({ doctor, answers }, null, 2)}\n`);
  console.log(`${file}: ${answers.length} answers of its kernel. Read it before it is committed.`);
}
