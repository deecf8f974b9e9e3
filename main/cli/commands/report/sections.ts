import { readFileSync, realpathSync } from 'node:fs';
import { arch, homedir, hostname, platform, release, userInfo, version as kernelVersion } from 'node:os';
import manifest from '../../../../package.json' with { type: 'json' };
import { messageOf } from '../../../../app/format/error-message.ts';
import { jsonText } from '../../../../app/format/json.ts';
import type { Identity } from '../../../../app/report/anonymise.ts';
import type { ReportSection } from '../../../../app/report/bundle.ts';
import { settingKeys, valueAt } from '../../../../app/settings/keys.ts';
import type { Engine } from '../../../engine/engine.ts';
import { leftOpenOf } from '../../../left-open/survey.ts';
import { sessionCostsOfScan } from '../../../observing/session-costs.ts';
import { scanTable } from '../../common/scan-table.ts';
import { findingLines, findingsOf } from '../doctor.ts';
import { incidentReport } from '../history/incident-report.ts';
import { settledLook } from '../scan.ts';

/**
 * Plain text that is never broken into lines: a name that stands on two would not be found and
 * replaced.
 */
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
  return scanTable(look, plain, { explain: true, all: true }, leftOpen, sessionCostsOfScan(look, engine.source));
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
export const sectionsOf = async (engine: Engine): Promise<readonly ReportSection[]> => [
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
export const identityHere = (engine: Engine): Identity => {
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
