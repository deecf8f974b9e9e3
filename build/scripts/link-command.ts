// After `npm run build`: node_modules/.bin/curfew, so that `npx curfew` starts this checkout's command at once, on the
// pinned Node that lies beside it. Without the link npx installs the checkout into its cache first, and warns about the
// engine of whatever Node npm itself runs on.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const binaries = join(import.meta.dirname, '../../node_modules/.bin');
const link = join(binaries, 'curfew');

// npm makes links of its own kind on Windows, where the version check in the command itself has to do.
if (process.platform !== 'win32') {
  mkdirSync(binaries, { recursive: true });
  rmSync(link, { force: true });
  symlinkSync('../../build/out/cli/curfew.js', link);
}
