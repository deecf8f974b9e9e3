import { isExemptFolder, portRange } from '../../../app/settings/exemption-parts.ts';
import type { Texts } from '../../texts/en/index.ts';

export interface ExemptionDraft {
  readonly project: string;
  readonly command: string;
  readonly port: string;
  readonly note: string;
}

/** Returns why a draft is refused, by field, in words. Empty when it is fine. */
export const exemptionProblems = (
  { project, command, port }: ExemptionDraft,
  words: Texts['settings']['rules'],
): Partial<Record<keyof ExemptionDraft, string>> => {
  if (project.trim() === '' && command.trim() === '' && port.trim() === '') return { project: words.needOne };
  const folder = project.trim();
  const number = Number(port);
  const badPort =
    port.trim() !== '' && !(Number.isInteger(number) && number >= portRange.min && number <= portRange.max);
  const badFolder = folder !== '' && !isExemptFolder(folder);
  return {
    ...(badFolder ? { project: words.notAbsolute } : {}),
    ...(badPort ? { port: words.badPort } : {}),
  };
};
