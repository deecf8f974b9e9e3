// The last step of `prepack`: gives every file that npm packs the mode that it has for every user.
// npm takes modes as they are, so a tarball made under another umask would be other bytes, and
// installed by root it could not be read by users.
import { chmodSync, existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const folders = ['cli', 'renderer', 'share'].map((name) => `build/out/${name}/**/*`);
for (const file of globSync(['LICENSE', 'README.md', 'package.json', ...folders], { cwd: root })) {
  const path = join(root, file);
  if (!existsSync(path) || !statSync(path).isFile()) continue;
  chmodSync(path, file.endsWith('cli/curfew.js') ? 0o755 : 0o644);
}
