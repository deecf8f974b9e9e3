/** One answer of a Mac's kernel, as `build/macos/report.sh` prints it. */
export interface ReportedAnswer {
  readonly pid: number;
  /** Flavor of `proc_pidinfo`. */
  readonly flavor: number;
  readonly bytes: number;
  readonly errno: number;
  readonly hex: string;
}

const line = /^(?<pid>\d+) (?<flavor>\d+) (?<bytes>-?\d+) (?<errno>\d+) ?(?<hex>(?:[0-9a-f]{2})*)$/u;

/** Returns the answers in a report; a line whose bytes are not all there is left out. */
export const reportedAnswers = (report: string): readonly ReportedAnswer[] =>
  report.split('\n').flatMap((text) => {
    const { pid, flavor, bytes, errno, hex = '' } = line.exec(text.trim())?.groups ?? {};
    if (pid === undefined || hex.length !== Math.max(0, Number(bytes)) * 2) return [];
    return [{ pid: Number(pid), flavor: Number(flavor), bytes: Number(bytes), errno: Number(errno), hex }];
  });
