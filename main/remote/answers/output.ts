import { utf8Of } from '../../os/recorded/utf8.ts';
import { redactOutput } from '../../../app/format/secrets/redact-output.ts';
import type { AnswerSections } from '../../../app/remote/answer.ts';
import type { OutputPart } from '../../output/output-part.ts';

/** Bytes of an output that are fetched at once. */
export const maxOutputBytes = 65_536;

export interface OutputEnd {
  readonly fileBytes: number;
  readonly bytes: string;
}

/** Takes the answer apart; null when there is no such file that could be read. */
export const outputEndIn = (sections: AnswerSections): OutputEnd | null => {
  const [size = '', bytes] = sections.get('output') ?? [];
  if (bytes === undefined || !/^\d{1,15}$/u.test(size)) return null;
  return { fileBytes: Number(size), bytes: bytes.slice(-maxOutputBytes) };
};

/**
 * What a window is shown of the end of an output, secrets redacted: whole lines, which take the
 * place of what it had; nothing while nothing was added. A line that isn't finished may be half a
 * secret, and waits until the file is as long as it was the last time.
 * @param fromByte where the window's text ends; null: it has none
 * @param lengthBefore of the file when it was last asked for; null: never
 */
export const outputPartOf = (
  { fileBytes, bytes }: OutputEnd,
  fromByte: number | null,
  lengthBefore: number | null,
): OutputPart => {
  const nothing = { text: '', fromByte: fileBytes, nextByte: fileBytes, fileBytes, restarted: false };
  if (fromByte === fileBytes) return nothing;
  const skipped = fileBytes > bytes.length ? bytes.indexOf('\n') + 1 : 0;
  const end = lengthBefore === fileBytes ? bytes.length : bytes.lastIndexOf('\n') + 1;
  const nextByte = Math.max(0, fileBytes - bytes.length + end);
  if (fromByte === nextByte) return { ...nothing, nextByte };
  return {
    text: redactOutput(utf8Of(bytes.slice(skipped, Math.max(skipped, end)))),
    fromByte: Math.max(0, fileBytes - bytes.length + skipped),
    nextByte,
    fileBytes,
    restarted: fromByte !== null,
  };
};
