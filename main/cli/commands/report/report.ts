import { worded, spoken, speak } from '../../common/words.ts';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { arch, homedir, hostname, platform, release, userInfo, version as kernelVersion } from 'node:os';
import { resolve } from 'node:path';
import { codeOf, messageOf } from '../../../../app/format/error-message.ts';
import { jsonText } from '../../../../app/format/json.ts';
import { type Identity, anonymiser } from '../../../../app/report/anonymise.ts';
import { type ReportSection, reportText } from '../../../../app/report/bundle.ts';
import { settingKeys, valueAt } from '../../../../app/settings/keys.ts';
import manifest from '../../../../package.json' with { type: 'json' };
import { type Engine, withEngine } from '../../../engine/engine.ts';
import { leftOpenOf } from '../../../left-open/survey.ts';
import { sessionCostsOfScan } from '../../../observing/session-costs.ts';
import { agrees } from '../../common/agrees.ts';
import { notDone, type ExitStatus, exitStatus } from '../../common/exit-status.ts';
import { type Output, writeJson } from '../../common/output.ts';
import { wholeMachineProblems } from '../../../observing/whole-machine.ts';
import { scanTable } from '../../common/scan-table.ts';
import { findingLines, findingsOf } from '../doctor.ts';
import { incidentReport } from '../history/incident-report.ts';
import { settledLook } from '../scan.ts';

/** Text never broken into lines: a name that stands on two would not be replaced. */
const plain = { colour: false, columns: 20_000 } as const;

/** Incidents in a report, the newest. */
const maxIncidents = 20;

const systemName = (): string | null => {
  try {
    // os-release(5)
    return (
      /^PRETTY_NAME="?(?<name>[^"\n]*)"?$/mu.exec(readFileSync('/etc/os-release', 'utf8'))?.groups?.['name'] ?? null
    );
  } catch {
    // Not Linux, or a Linux that does not say.
    return null;
  }
};

const versions = (): string =>
  [
    `curfew ${manifest.version}`,
    `node ${process.version}, from ${process.execPath}`,
    `command line ${process.argv[1] ?? 'unknown'}`,
    `${platform()} ${arch()}, ${release()}, ${kernelVersion()}`,
    ...[systemName()].filter((name) => name !== null),
  ].join('\n');

const settings = (engine: Engine): string => {
  const { settings: all, fallback, notices } = engine.settingsFile.load();
  const own = settingKeys.filter(
    (key) => jsonText(valueAt(all, key) ?? null) !== jsonText(valueAt(fallback, key) ?? null),
  );
  const lines = own.map((key) => `${key} ${jsonText(valueAt(all, key) ?? null)}`);
  return [...(lines.length === 0 ? ['All are as they come.'] : lines), ...notices.map(({ text }) => text)].join('\n');
};

const scan = async (engine: Engine): Promise<string> => {
  const look = await settledLook(() => engine.observer.look());
  const leftOpen = await leftOpenOf(engine, look);
  return scanTable(
    look,
    plain,
    { explain: true, all: true, piled: wholeMachineProblems(look) },
    leftOpen,
    sessionCostsOfScan(look, engine.source),
  );
};

const history = (engine: Engine): string => {
  const incidents = [...engine.history.query({ limit: maxIncidents })];
  if (incidents.length === 0) return 'Nothing has been recorded yet.';
  return incidents.map((incident) => incidentReport(incident, plain)).join('\n');
};

/** A part that fails is told in its place: a report is wanted most where something is broken. */
const section = async (title: string, text: () => string | Promise<string>): Promise<ReportSection> => {
  try {
    return { title, text: await text() };
  } catch (error) {
    return { title, text: `This part could not be made: ${messageOf(error)}` };
  }
};

/** Returns the parts of a report on this machine, not anonymised yet. */
const sectionsOf = async (engine: Engine): Promise<readonly ReportSection[]> => [
  await section('Versions', versions),
  await section('Settings that were changed', () => settings(engine)),
  await section('curfew doctor', async () =>
    (await findingsOf(engine)).flatMap((finding) => findingLines(finding, plain)).join('\n'),
  ),
  await section('curfew scan --explain --all', () => scan(engine)),
  await section(`curfew history, the last ${maxIncidents}`, () => history(engine)),
];

const realPath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

/** Returns by what this user and machine would be known in a report. */
const identityHere = (engine: Engine): Identity => {
  const homes = [homedir()];
  const users: string[] = [];
  try {
    // A user without an entry in the system's list has neither.
    const { username, homedir: listed } = userInfo();
    homes.push(listed);
    users.push(username);
  } catch {
    // os.userInfo() throws then; the names of the home folder still count.
  }
  const names = homes.map((home) => home.split(/[/\\]/u).at(-1) ?? '');
  return {
    homes: [...homes, ...homes.map(realPath)],
    users: [...users, ...names],
    hosts: [hostname(), ...engine.settings().hosts.flatMap((host) => host.split('@'))],
  };
};

/** Options of `curfew report`. */
export interface ReportOptions {
  /** Where it is written; null: a new file in the working folder. */
  readonly file: string | null;
  readonly yes: boolean;
  readonly json: boolean;
}

/** Returns the report on this machine, as it would be written. */
const textHere = async (output: Output): Promise<string> => {
  return withEngine({ uid: null, warn: output.warn, allServers: true }, async (engine) => {
    await engine.source.refresh?.();
    const anonymise = anonymiser(identityHere(engine));
    return reportText(await sectionsOf(engine), new Date().toISOString().slice(0, 10), anonymise);
  });
};

/** Whether it is to be written: by option, or asked for on a terminal. */
const isConfirmed = async (options: ReportOptions, path: string, output: Output): Promise<boolean> => {
  if (options.yes) return true;
  if (!options.json && output.isTerminal && process.stdin.isTTY)
    return agrees(worded('Write this to {path}? Read it first: it is meant to be sent to others. [y/N] ', { path }));
  output.warn(worded('curfew: nothing was written; `curfew report --yes` writes without asking'));
  return false;
};

/** Never over another file, and readable for the user alone until it is sent. */
const write = (path: string, text: string): void => {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const exists = codeOf(error) === 'EEXIST';
    throw exists
      ? notDone('{path} is there already and stays as it is; `--output FILE` names another', { path })
      : notDone('the report could not be written: {why}', { why: messageOf(error) });
  }
};

/**
 * `curfew report`: prints one redacted report on this machine, and writes it with `--yes` or after
 * the user has agreed on the terminal.
 * @throws NotDone when it can't be written
 */
export const report = async (options: ReportOptions, output: Output): Promise<ExitStatus> => {
  // Those who read it may know no other language.
  const tongue = spoken();
  speak(null);
  const text = await textHere(output).finally(() => speak(tongue));
  const path = resolve(options.file ?? `curfew-report-${new Date().toISOString().replaceAll(/[:.]/gu, '-')}.md`);
  if (!options.json) await output.write(text);
  const written = await isConfirmed(options, path, output);
  if (written) write(path, text);
  if (options.json) await writeJson(output, { schema: 1, path: written ? path : null, text });
  else if (written) output.warn(worded('Written to {path}.', { path }));
  return exitStatus.done;
};
