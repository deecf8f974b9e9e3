// node build/scripts/agents-page.ts: writes docs/records/real-agents.md from what
// npm run test:agents measured.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { matrixPage } from '../agents/matrix-page.ts';

writeFileSync(join(import.meta.dirname, '../../docs/records/real-agents.md'), matrixPage());
