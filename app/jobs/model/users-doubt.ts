/** Why the user may have given a process to a job. The codes never change: the ledger has them. */
export const usersDoubts = ['works-on-terminal', 'other-terminal', 'lacks-marks', 'asked-of-daemon'] as const;
export type UsersDoubtCode = (typeof usersDoubts)[number];

/** A doubt, with the process that it is about and the one that started it. */
export interface UsersDoubt {
  readonly code: UsersDoubtCode;
  readonly pid: number;
  readonly parent: number;
}

const sentences: Readonly<Record<UsersDoubtCode, (pid: string, parent: string) => string>> = {
  'works-on-terminal': (pid, parent) =>
    `process ${pid} works on a terminal that process ${parent}, which a tool call started, gave it`,
  'other-terminal': (pid, parent) =>
    `process ${pid} has the environment of a terminal that process ${parent}, which started it, does not have`,
  'lacks-marks': (pid, parent) => `process ${pid} does not have the environment of process ${parent}, which started it`,
  'asked-of-daemon': (pid, parent) =>
    `process ${pid} was started by process ${parent} after its tool call had returned: a client may have asked for it`,
};

/** Says a doubt as evidence, the form in which the ledger keeps it. */
export const usersDoubtSentence = ({ code, pid, parent }: UsersDoubt): string =>
  sentences[code](String(pid), String(parent));

const forms = usersDoubts.map(
  (code) => [code, new RegExp(`^${sentences[code](String.raw`(\d+)`, String.raw`(\d+)`)}$`, 'u')] as const,
);

/** Returns the doubt that evidence says; null where it says something else. */
export const usersDoubtIn = (evidence: string): UsersDoubt | null => {
  for (const [code, form] of forms) {
    const found = form.exec(evidence);
    if (found !== null) return { code, pid: Number(found[1]), parent: Number(found[2]) };
  }
  return null;
};
