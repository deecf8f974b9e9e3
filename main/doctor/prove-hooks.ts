import { joined, say } from '../../app/text/say.ts';
import { randomUUID } from 'node:crypto';
import { defaultAgent } from '../../app/agents/common/agent-id.ts';
import { signatureOf } from '../../app/agents/signatures.ts';
import { runBounded, type ProgramOrder } from '../os/programs/bounded-program.ts';
import { type HookInstallation, agentHooks } from '../agents/hooks/installation/hook-installation.ts';
import { hookScriptFile, hookScriptState } from '../agents/hooks/form/hook-script.ts';
import { takeProbe } from '../agents/hooks/inbox/inbox.ts';
import { hookInstallers } from '../agents/dossiers.ts';
import { type Finding, note, ok, problem } from './finding.ts';

type HookFinding = Finding<'Hooks'>;

/** Timeout in ms; a slower hook would delay the agent. */
const patienceMs = 10_000;

const again = say('`curfew hooks install` puts it right.');

/** Variables without which no program of Windows runs. */
const ofWindows: readonly string[] = ['SystemRoot', 'SystemDrive', 'windir', 'TEMP', 'TMP', 'USERPROFILE'];

/** How agents call the script, and with what environment at least. */
const callOf = ({
  folders,
  places,
  platform,
  program,
}: HookInstallation): Pick<ProgramOrder, 'command' | 'environment'> => {
  const script = hookScriptFile(folders, platform);
  if (platform !== 'win32')
    return { command: ['/bin/sh', script], environment: { PATH: '/usr/bin:/bin', HOME: places.home } };
  const given = Object.entries(places.environment).flatMap(([name, value]) =>
    value !== undefined && ofWindows.some((one) => one.toLowerCase() === name.toLowerCase()) ? [[name, value]] : [],
  );
  return { command: [program.command[0], script], environment: Object.fromEntries(given) as Record<string, string> };
};

/** Drops a marked event through the script that agents call, and checks that it arrives. */
const probe = (installation: HookInstallation, uid: number): HookFinding => {
  const { folders, platform } = installation;
  const { command, environment } = callOf(installation);
  const mark = `probe-${randomUUID()}`;
  const result = runBounded({
    command: [...command, defaultAgent, 'probe'],
    input: JSON.stringify({ session_id: mark, cwd: '/' }),
    environment,
    timeoutMs: patienceMs,
  });
  if (takeProbe(folders, uid, mark))
    return ok('Hooks', say('Test event delivered: it arrived through the hook script.'));
  const why = result.problem ?? say('it ended with status {status}', { status: String(result.status) });
  return problem(
    'Hooks',
    joined(
      say('Test event not delivered: it did not arrive through {script} ({why}).', {
        script: hookScriptFile(folders, platform),
        why,
      }),
      say('Check that its folder is writable and the disk is not full.'),
      again,
    ),
  );
};

/** A script of another version may work; one whose program is gone does not. */
const differs = ({ folders, platform }: HookInstallation): HookFinding =>
  note(
    'Hooks',
    joined(
      say('{script} was written by another Curfew, or by one that lay elsewhere.', {
        script: hookScriptFile(folders, platform),
      }),
      say('`curfew hooks install` writes it anew.'),
    ),
  );

/**
 * Checks that hooks work: whether each agent's are installed, and once whether an event arrives
 * through the script that they call. Changes nothing but the event, which it removes. Takes
 * milliseconds, at most 10 s.
 */
export const proveHooks = (installation: HookInstallation, uid: number): readonly HookFinding[] => {
  const states = hookInstallers.map((installer) => ({ installer, hooks: agentHooks(installation, installer) }));
  const installed = states.filter(({ hooks }) => hooks.hooks !== 'absent');
  const findings = states.flatMap(({ installer, hooks }): HookFinding[] => {
    const { name } = signatureOf(installer.agent);
    if (hooks.found === null && hooks.hooks === 'absent') return [];
    if (hooks.hooks === 'installed') {
      const notes = hooks.note === null ? [] : [hooks.note];
      return [ok('Hooks', joined(say('Installed into {agent}.', { agent: name }), ...notes))];
    }
    if (hooks.hooks === 'partly')
      return [problem('Hooks', joined(say('Only partly there in {agent}.', { agent: name }), again))];
    const install = say('`curfew hooks install {agent}` lets it tell Curfew when sessions begin and end.', {
      agent: installer.agent,
    });
    return [note('Hooks', joined(say('Not in {agent}.', { agent: name }), hooks.note ?? install))];
  });
  const { folders, program, platform } = installation;
  const script = hookScriptState(folders, program, platform);
  if (installed.length === 0) return findings;
  if (script === 'missing')
    return [
      ...findings,
      problem('Hooks', joined(say('{script} is gone.', { script: hookScriptFile(folders, platform) }), again)),
    ];
  if (script === 'different') findings.push(differs(installation));
  return [...findings, probe(installation, uid)];
};
