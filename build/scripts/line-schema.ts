// Writes docs/incident-line.schema.json from the schema that the lines are made by.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lineJsonSchema } from '../../app/incident-lines/line.ts';

const file = join(import.meta.dirname, '../../docs/incident-line.schema.json');
writeFileSync(file, `${JSON.stringify(lineJsonSchema(), null, 2)}\n`);
