import { z } from 'zod';
import { isHostName } from '../remote/host-name.ts';

/** See `isHostName`. */
export const hostNameSchema = z.string().refine(isHostName);
