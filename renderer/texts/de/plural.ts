import { pluralFor } from '../forms/plural.ts';

/** Selects German forms. */
export const plural = pluralFor('de');
