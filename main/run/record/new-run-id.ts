import { randomBytes } from 'node:crypto';
import { asRunId, type RunId } from '../../../app/process/run-id.ts';

/** 32 characters without look-alikes, so that five random bits choose one without bias. */
const alphabet = '23456789abcdefghijkmnpqrstuvwxyz';
const length = 10;

/** Returns a new id of 50 random bits. */
export const newRunId = (): RunId =>
  asRunId([...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join(''));
