import { joined, say, type Sentence, verbatim } from '../../app/text/said/say.ts';
import { randomUUID } from 'node:crypto';
import { defaultAgent } from '../../app/agents/common/agent-id.ts';
import { signatureOf } from '../../app/agents/signatures.ts';
import { runBounded } from '../os/programs/bounded-program.ts';
import type { HookInstallation } from '../agents/hooks/installation/hook-installation.ts';
import { agentHooks } from '../agents/hooks/installation/hook-installation.ts';
import { hookScriptState } from '../agents/hooks/form/hook-script.ts';
import { takeProbe } from '../agents/hooks/inbox/inbox.ts';
import { hookInstallers } from '../agents/hooks/installation/installers.ts';

/** A finding about hooks; fits the findings of `checkUp`. */
export interface HookFinding {
  readonly what: 'Hooks';
  readonly level: 'ok' | 'note' | 'problem';
  readonly text: Sentence;
}

/** Timeout in ms; a slower hook would delay the agent. */
const patienceMs = 10_000;

const again = say('`curfew hooks install` puts it right.');

/** Drops a marked event through the script that agents call, and checks that it arrives. */
const probe = (installation: HookInstallation, uid: number): HookFinding => {
  const { folders } = installation;
  const mark = `probe-${randomUUID()}`;
  const result = runBounded({
    command: ['/bin/sh', folders.script, defaultAgent, 'probe'],
    input: JSON.stringify({ session_id: mark, cwd: '/' }),
    environment: { PATH: '/usr/bin:/bin', HOME: installation.places.home },
    timeoutMs: patienceMs,
  });
  if (takeProbe(folders, uid, mark))
    return { what: 'Hooks', level: 'ok', text: say('Test event delivered: it arrived through the hook script.') };
  const why = result.problem ?? `it ended with status ${result.status}`;
  return {
    what: 'Hooks',
    level: 'problem',
    text: joined(
      say('Test event not delivered: it did not arrive through {script} ({why}).', { script: folders.script, why }),
      say('Check that its folder is writable and the disk is not full.'),
      again,
    ),
  };
};

/** A script of another version may work; one whose program is gone does not. */
const differs = ({ folders }: HookInstallation): HookFinding => ({
  what: 'Hooks',
  level: 'note',
  text: joined(
    say('{script} was written by another Curfew, or by one that lay elsewhere.', { script: folders.script }),
    say('`curfew hooks install` writes it anew.'),
  ),
});

/**
 * Checks that hooks work: whether each agent's are installed, and once whether an event arrives
 * through the script that they call. Changes nothing but the event, which it removes. Takes
 * milliseconds, at most 10 s.
 */
export const proveHooks = (installation: HookInstallation, uid: number): readonly HookFinding[] => {
  if (installation.platform === 'win32')
    return [
      { what: 'Hooks', level: 'note', text: say('Not available on Windows; sessions are watched from outside.') },
    ];
  const states = hookInstallers.map((installer) => ({ installer, hooks: agentHooks(installation, installer) }));
  const installed = states.filter(({ hooks }) => hooks.hooks !== 'absent');
  const findings = states.flatMap(({ installer, hooks }): HookFinding[] => {
    const { name } = signatureOf(installer.agent);
    if (hooks.found === null && hooks.hooks === 'absent') return [];
    if (hooks.hooks === 'installed') {
      const notes = hooks.note === null ? [] : [verbatim(hooks.note)];
      return [{ what: 'Hooks', level: 'ok', text: joined(say('Installed into {agent}.', { agent: name }), ...notes) }];
    }
    if (hooks.hooks === 'partly')
      return [
        { what: 'Hooks', level: 'problem', text: joined(say('Only partly there in {agent}.', { agent: name }), again) },
      ];
    const install = say('`curfew hooks install {agent}` lets it tell Curfew when sessions begin and end.', {
      agent: installer.agent,
    });
    const text = joined(say('Not in {agent}.', { agent: name }), hooks.note === null ? install : verbatim(hooks.note));
    return [{ what: 'Hooks', level: 'note', text }];
  });
  const script = hookScriptState(installation.folders, installation.program);
  if (installed.length === 0) return findings;
  if (script === 'missing')
    return [
      ...findings,
      {
        what: 'Hooks',
        level: 'problem',
        text: joined(say('{script} is gone.', { script: installation.folders.script }), again),
      },
    ];
  if (script === 'different') findings.push(differs(installation));
  return [...findings, probe(installation, uid)];
};
