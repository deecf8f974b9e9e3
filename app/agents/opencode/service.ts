import type { ServiceForm } from '../common/dossier.ts';

/** `opencode serve` and `opencode web` (1.18.33): a server for the clients that connect to it. */
export const opencodeService: ServiceForm = {
  is: (argv) => argv.includes('serve') || argv.includes('web'),
  end: () => null,
  environment: [],
};
