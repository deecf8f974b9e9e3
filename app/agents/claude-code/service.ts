import type { ServiceForm } from '../common/dossier.ts';

/** The short form of a session's id, as `claude agents` lists it (2.1.329, observed). */
const shortId = /^[0-9a-f]{8}(?=-)/u;

/**
 * The daemon of background sessions (`claude daemon run`) and its workers, which rename themselves
 * `claude bg-pty-host` and `claude bg-spare` (2.1.329, observed).
 */
export const claudeCodeService: ServiceForm = {
  is: (argv) => argv[1] === 'daemon' || argv[0]?.startsWith('claude bg-') === true,
  end: (argv, session) => {
    if (argv[1] === 'daemon') return { command: ['claude', 'daemon', 'stop', '--any'], ends: 'process' };
    const id = session === null ? null : (shortId.exec(session)?.[0] ?? null);
    return id === null ? null : { command: ['claude', 'stop', id], ends: 'session' };
  },
  environment: ['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_TMPDIR'],
};
