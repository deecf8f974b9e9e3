import type { AgentId } from './common/agent-id.ts';

/** What Curfew was tried with: the newest version that tests are played with. */
export interface SeenVersion {
  /** How the names of its npm packages begin. */
  readonly package: string;
  readonly version: string;
}

/** The same as the first row of each agent in build/agents/agents.json, which a test compares. */
export const seenVersions: Readonly<Record<AgentId, SeenVersion | 'none'>> = {
  'claude-code': { package: '@anthropic-ai/claude-code', version: '2.1.330' },
  codex: { package: '@openai/codex', version: '0.169.0' },
  gemini: { package: '@google/gemini-cli', version: '0.61.0' },
  copilot: { package: '@github/copilot', version: '1.0.102' },
  opencode: { package: 'opencode', version: '1.18.33' },
  pi: { package: '@earendil-works/pi-coding-agent', version: '1.5.2' },
  qwen: { package: '@qwen-code/qwen-code', version: '0.24.4' },
  cline: { package: 'cline', version: '3.0.65' },
  continue: { package: '@continuedev/cli', version: '1.5.47' },
  kimi: { package: '@moonshot-ai/kimi-code', version: '2.1.0' },
  crush: 'none',
  hermes: 'none',
  openclaw: 'none',
  cursor: 'none',
  mux: 'none',
  aider: 'none',
  'curfew-run': 'none',
  other: 'none',
};

const numbersOf = (version: string): readonly number[] => version.split(/[.-]/u).slice(0, 3).map(Number);

/** Returns whether a version is newer than another; false for what is no three numbers. */
export const isNewer = (version: string, than: string): boolean => {
  const [left, right] = [numbersOf(version), numbersOf(than)];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at !== -1 && (left[at] ?? 0) > (right[at] ?? 0);
};
