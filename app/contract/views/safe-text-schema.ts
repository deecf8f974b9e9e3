import { z } from 'zod';
import type { SafeText } from '../../format/secrets/safe-text.ts';

/** A command as windows and documents take it: only what was redacted has this type. */
export const safeTextSchema = z.custom<SafeText>((text) => typeof text === 'string');
