import { homedir } from 'node:os';
import { placesFor, type Places } from '../../store/places.ts';

/** Returns where this user's Curfew keeps its files. */
export const placesHere = (): Places =>
  placesFor({ platform: process.platform, environment: process.env, home: homedir(), workingFolder: process.cwd() });
