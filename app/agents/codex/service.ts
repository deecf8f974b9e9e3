import type { ServiceForm } from '../common/dossier.ts';

/**
 * The daemon that all terminals of Codex 0.169 talk to (`codex app-server --listen unix://
 * --managed-daemon`) and what keeps it up to date (`codex app-server daemon pid-update-loop`), both
 * observed. An app-server over pipes is an editor's, and no daemon.
 */
export const codexService: ServiceForm = {
  is: (argv) => argv.includes('app-server') && (argv.includes('--managed-daemon') || argv.includes('daemon')),
  // The update loop goes on after it (observed).
  end: (argv) =>
    argv.includes('--managed-daemon') ? { command: ['codex', 'app-server', 'daemon', 'stop'], ends: 'process' } : null,
  environment: ['CODEX_HOME'],
};
