import { inEnglish } from '../../../../app/text/say.ts';
// node log.ts FOLDER LABEL COUNT: writes COUNT entries into a log that rotates every 20,000 bytes.
import { openLog } from '../../../../main/store/files/log.ts';

const [folder = '', label = '', count = '1'] = process.argv.slice(2);
const log = openLog({
  folder,
  redact: (text) => text,
  warn: (said) => void process.stderr.write(`${inEnglish(said)}\n`),
  limits: { bytes: 20_000, files: 50 },
});
for (let number = 0; number < Number(count); number += 1) {
  log.info('an entry', { label, number, filler: 'x'.repeat(100) });
  process.stdout.write(`${number}\n`);
}
log.close();
