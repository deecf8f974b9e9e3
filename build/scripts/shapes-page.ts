// node build/scripts/shapes-page.ts: writes docs/records/call-shapes.md from what
// npm run test:shapes measured.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { descentsPage } from '../agents/descents-page.ts';

writeFileSync(join(import.meta.dirname, '../../docs/records/call-shapes.md'), descentsPage());
