import { words } from '../common/words.ts';
import { byKey } from '../../../app/format/said.ts';
import { uptime } from 'node:os';
import { inEnglish } from '../../../app/text/say.ts';
import { signatureOf } from '../../../app/agents/signatures.ts';
import { hookInstallationHere } from '../../agents/hooks/installation/installation-here.ts';
import { hookFolders } from '../../agents/hooks/form/folders.ts';
import { proveHooks } from '../../doctor/prove-hooks.ts';
import { proveLoop, provePass } from '../../doctor/prove-layers.ts';
import { autostartStatus } from '../../autostart/autostart.ts';
import { autostartInputHere, machineHere } from '../../autostart/plans.ts';
import { type Engine, withEngine } from '../../engine/engine.ts';
import { asPid } from '../../../app/process/identity.ts';
import { checkUp } from '../../doctor/check-up.ts';
import type { Finding } from '../../doctor/finding.ts';
import { wrap } from '../common/table.ts';
import { maxPauseMs } from '../../supervisor/pace.ts';
import { supervisorInWords } from '../../home/supervisor-lock-holder.ts';
import { type ExitStatus, exitStatus } from '../common/exit-status.ts';
import { type Output, paint, writeJson } from '../common/output.ts';

const marks = {
  ok: { mark: 'ok  ', style: 'green' },
  note: { mark: 'note', style: 'dim' },
  problem: { mark: 'FAIL', style: 'red' },
} as const;

/** Returns a finding as lines for people. */
export const findingLines = (finding: Finding, output: Pick<Output, 'colour' | 'columns'>): readonly string[] => {
  const { mark, style } = marks[finding.level];
  const width = output.columns - 6;
  // What is said on a line of its own stays whole, so that it can be copied.
  const [said = '', ...alone] = `${words(byKey(finding.what))}: ${words(finding.text)}`.split('\n');
  const [first = '', ...rest] = [...wrap(said, width), ...alone];
  return [`${paint(output, style, mark)}  ${first}`, ...rest.map((line) => `      ${line}`)];
};

const provenHooks = ({ places, home, source }: Engine): readonly Finding[] =>
  proveHooks(
    hookInstallationHere({ places, home, environment: process.env, commandLine: process.argv[1] ?? '' }),
    source.read(asPid(process.pid))?.uid ?? 0,
  );

/** Checks the loop of the supervisor and the pass of a timer: what works without hooks. */
const provenLayers = async (engine: Engine): Promise<readonly Finding[]> => {
  const folders = hookFolders(engine.places);
  const own = engine.source.read(asPid(process.pid));
  const self = { pid: process.pid, startTicks: own?.startTicks ?? 0 };
  const proof = { uid: own?.uid ?? 0, self, patienceMs: maxPauseMs(engine.settings().scanIntervalSeconds) + 5000 };
  const loop = supervisorInWords(engine) === null ? [] : [await proveLoop(folders, proof)];
  const input = autostartInputHere();
  const nowMs = Date.now();
  const pass = { program: input.program[1] ?? '', nowMs, bootedMs: nowMs - uptime() * 1000 };
  return [...loop, provePass(folders, autostartStatus(machineHere(), input), pass)];
};

/** Returns what a check of the whole installation finds. */
export const findingsOf = async (engine: Engine): Promise<readonly Finding[]> =>
  checkUp(engine, (agent) => signatureOf(agent).name, [...provenHooks(engine), ...(await provenLayers(engine))]);

/** `curfew doctor`: checks the installation. Status 1 when something is wrong. */
export const doctor = async (
  options: { readonly json: boolean; readonly uid: number | null },
  output: Output,
): Promise<ExitStatus> => {
  return withEngine({ uid: options.uid, allServers: true, warn: () => undefined }, async (engine) => {
    await engine.source.refresh?.();
    const findings = await findingsOf(engine);
    const healthy = findings.every((finding) => finding.level !== 'problem');
    if (options.json)
      await writeJson(output, {
        schema: 1,
        host: 'local',
        healthy,
        findings: findings.map((one) => ({ ...one, text: inEnglish(one.text) })),
      });
    else await output.write(`${findings.flatMap((finding) => findingLines(finding, output)).join('\n')}\n`);
    return healthy ? exitStatus.done : exitStatus.notDone;
  });
};
