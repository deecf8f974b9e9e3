import { commandLineForms } from '../../../app/text/catalogue/command-line/index.ts';
import { germanForms } from '../../../app/text/catalogue/index.ts';
import { germanBy, germanVoice } from '../../../app/text/de/voice.ts';
import type { Tongue } from './words.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** German. Loaded only where it is spoken. */
export const german: Tongue = {
  writing: germanBy({ ...germanForms, ...commandLineForms }),
  voice: germanVoice,
  decimal: (text) => text.replace('.', ','),
  minute: (atMs) => {
    const date = new Date(atMs);
    const day = `${two(date.getDate())}.${two(date.getMonth() + 1)}.${date.getFullYear()}`;
    return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
  },
  yes: /^(?:j|ja)$/iu,
};
