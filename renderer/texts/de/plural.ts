import { pluralFor } from '../plural.ts';

/** Selects German forms. */
export const plural = pluralFor('de');
