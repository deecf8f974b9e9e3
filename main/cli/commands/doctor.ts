import { signatureOf } from '../../../app/agents/signatures.ts';
import { hookInstallationHere } from '../../agents/hooks/installation-here.ts';
import { proveHooks } from '../../agents/hooks/prove-hooks.ts';
import type { Engine } from '../../supervisor/engine.ts';
import { asPid } from '../../../app/process/identity.ts';
import { checkUp, type Finding } from '../../supervisor/check-up.ts';
import { wrap } from '../columns.ts';
import { openEngine } from '../../supervisor/engine.ts';
import type { ExitStatus } from '../exit-status.ts';
import { exitStatus } from '../exit-status.ts';
import type { Output } from '../output.ts';
import { paint, writeJson } from '../output.ts';

const marks = {
  ok: { mark: 'ok  ', style: 'green' },
  note: { mark: 'note', style: 'dim' },
  problem: { mark: 'FAIL', style: 'red' },
} as const;

const lines = (finding: Finding, output: Output): readonly string[] => {
  const { mark, style } = marks[finding.level];
  const width = Math.min(output.columns, 100) - 6;
  const [first = '', ...rest] = wrap(`${finding.what}: ${finding.text}`, width);
  return [`${paint(output, style, mark)}  ${first}`, ...rest.map((line) => `      ${line}`)];
};

const provenHooks = ({ places, home, source }: Engine): readonly Finding[] =>
  proveHooks(
    hookInstallationHere({ places, home, environment: process.env, commandLine: process.argv[1] ?? '' }),
    source.read(asPid(process.pid))?.uid ?? 0,
  );

/** `curfew doctor`: is everything in place. Status 1 when something is not. */
export const doctor = async (
  options: { readonly json: boolean; readonly uid: number | null },
  output: Output,
): Promise<ExitStatus> => {
  const engine = openEngine({ uid: options.uid, warn: () => undefined });
  try {
    await engine.source.refresh?.();
    const findings = checkUp(engine, (agent) => signatureOf(agent).name, provenHooks(engine));
    const healthy = findings.every((finding) => finding.level !== 'problem');
    if (options.json) await writeJson(output, { schema: 1, host: 'local', healthy, findings });
    else await output.write(`${findings.flatMap((finding) => lines(finding, output)).join('\n')}\n`);
    return healthy ? exitStatus.done : exitStatus.notDone;
  } finally {
    engine.close();
  }
};
