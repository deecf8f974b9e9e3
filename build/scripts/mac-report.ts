/** One answer of a Mac's kernel, as `build/macos/report.sh` prints it. */
export interface ReportedAnswer {
  readonly pid: number;
  /** The descriptor that `proc_pidfdinfo` was asked about; null: `proc_pidinfo`, of the process. */
  readonly fd: number | null;
  readonly flavor: number;
  readonly bytes: number;
  readonly errno: number;
  readonly hex: string;
}

const line = /^(?<pid>\d+)(?::(?<fd>\d+))? (?<flavor>\d+) (?<bytes>-?\d+) (?<errno>\d+) ?(?<hex>(?:[0-9a-f]{2})*)$/u;

/** Returns the answers in a report; a line whose bytes are not all there is left out. */
export const reportedAnswers = (report: string): readonly ReportedAnswer[] =>
  report.split('\n').flatMap((text) => {
    const { pid, fd, flavor, bytes, errno, hex = '' } = line.exec(text.trim())?.groups ?? {};
    if (pid === undefined || hex.length !== Math.max(0, Number(bytes)) * 2) return [];
    return [
      {
        pid: Number(pid),
        fd: fd === undefined ? null : Number(fd),
        flavor: Number(flavor),
        bytes: Number(bytes),
        errno: Number(errno),
        hex,
      },
    ];
  });
