// npm run agents: fetches the real agents that tests play with into a folder outside the checkout
// (about 2 GB), at the versions of build/agents/agents.json, and a real Electron. Their install
// scripts are not run.
// `-- --latest` fetches the newest version of each beside them, and `npm run test:drift` says what
// changed.
import { fetchPinned, fetchUnpinned, latestOf, type Fetched } from '../agents/fetch.ts';
import { agentsFolder, leftOut, pinnedAgents, pinnedHelpers, type PinnedAgent } from '../agents/table.ts';
import { newestOf, rememberLatest } from '../agents/latest.ts';
import { fetchElectron, noElectronHere, realElectron } from '../electron/electron.ts';

/** Downloads at the same time; more would not be faster, unpacking takes a core each. */
const lanes = 4;

const fetchAll = async (
  agents: readonly PinnedAgent[],
  fetchOne: (agent: PinnedAgent) => Promise<Fetched>,
): Promise<readonly PinnedAgent[]> => {
  const waiting = [...agents];
  const problems: string[] = [];
  const there: PinnedAgent[] = [];
  const lane = async (): Promise<void> => {
    for (let agent = waiting.shift(); agent !== undefined; agent = waiting.shift()) {
      const result = await fetchOne(agent);
      console.log(`${agent.name}: ${typeof result === 'string' ? result : 'NOT FETCHED'}`);
      if (typeof result === 'string') there.push(agent);
      else problems.push(result.problem);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  return there;
};

console.log(`The real agents are in ${agentsFolder()}`);
// A package of one processor is no package of another.
const helpers = Object.values(pinnedHelpers).filter(
  ({ package: name }) => !/-(?:x64|arm64)$/u.test(name) || name.endsWith(`-${process.arch}`),
);
await fetchAll([...pinnedAgents, ...helpers], (agent) => fetchPinned(agent));
if (noElectronHere === null) await fetchAll([realElectron], fetchElectron);
for (const sentence of leftOut) console.log(`Not among them: ${sentence}`);
for (const { name, emptied = [] } of pinnedAgents)
  if (emptied.length > 0) console.log(`${name} runs without ${emptied.join(', ')}, which npm lacks.`);
if (process.argv.includes('--latest')) {
  const newest: PinnedAgent[] = [];
  for (const agent of newestOf(pinnedAgents)) {
    const version = await latestOf(agent.package);
    if (version === agent.version) console.log(`${agent.name} is the newest`);
    else newest.push({ ...agent, version, folder: `latest/${agent.agent}`, name: `${agent.agent} ${version}` });
  }
  rememberLatest(await fetchAll(newest, fetchUnpinned));
}
