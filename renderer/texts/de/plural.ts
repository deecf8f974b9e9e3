import { pluralFor } from '../forms/plural.ts';

/** Selects German forms. */
export const plural = pluralFor('de');

/** Returns a length of time as it stands behind `vor`, `in` and `seit`. */
export const dative = (length: string): string => length.replace(/Tage\b/u, 'Tagen');
