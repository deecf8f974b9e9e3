import { randomBytes } from 'node:crypto';
import { asRunId, type RunId } from '../../../app/process/run-id.ts';

/** Without letters and digits that look alike. 32 of them, so that five bits of a byte give one without favouring any. */
const alphabet = '23456789abcdefghijkmnpqrstuvwxyz';
const length = 10;

/** A new id: 50 random bits. */
export const newRunId = (): RunId =>
  asRunId([...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join(''));
