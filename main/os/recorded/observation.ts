import { utf8Of } from './utf8.ts';
import type { AnswerSections } from '../../../app/remote/answer.ts';
import { type RemoteHead, parseHead } from '../../../app/remote/head.ts';
import { linkTarget } from '../files/held-file.ts';
import { tracerIn } from '../linux/facts/member-facts.ts';
import type { ObservedProcess } from './observed-process.ts';
import { takePsLines } from './ps-way.ts';

/** `/proc/PID/FILE:TEXT`, as grep -H writes it. */
const fileRecord = /^\/proc\/(?<pid>\d+|self)\/(?:task\/\d+\/)?(?<file>[a-z]+(?:\/\d+)?):/u;

/** Calls `take` for each record that names a file of a process; passes over the others. */
const eachFile = (records: readonly string[], take: (pid: string, file: string, text: string) => void): void => {
  for (const record of records) {
    const match = fileRecord.exec(record);
    if (match?.groups === undefined) continue;
    take(match.groups['pid'] ?? '', match.groups['file'] ?? '', record.slice(match[0].length));
  }
};

/**
 * Returns the pids that processes have in namespaces below that of the shell that answers, by their
 * pid out here: the numbers of `NSpid`, the outer ones first.
 * https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */
const insideIn = (records: readonly string[]): ReadonlyMap<number, readonly number[]> => {
  const inside = new Map<number, readonly number[]>();
  eachFile(records, (pid, file, text) => {
    const pids = /^NSpid:((?:\t\d{1,7})+)$/u.exec(text)?.[1];
    if (file === 'status' && pids !== undefined) inside.set(Number(pid), pids.trim().split('\t').slice(1).map(Number));
  });
  return inside;
};

/** Returns the process of each thread that was asked for it. */
const tracingIn = (records: readonly string[]): ReadonlyMap<number, number> => {
  const tracing = new Map<number, number>();
  eachFile(records, (thread, _file, text) => {
    const pid = /^Tgid:\t(\d{1,7})$/u.exec(text)?.[1];
    if (pid !== undefined) tracing.set(Number(thread), Number(pid));
  });
  return tracing;
};

/** Returns how often each process's threads slept: lines `^PID NUMBER…`, one a thread. */
const switchesIn = (records: readonly string[]): ReadonlyMap<number, number> => {
  const switches = new Map<number, number>();
  for (const record of records) {
    const [, pid, numbers = ''] = /^\^(\d{1,7}) +(\d[\d ]*)$/u.exec(record) ?? [];
    if (pid !== undefined)
      switches.set(
        Number(pid),
        numbers
          .trim()
          .split(/ +/u)
          .reduce((sum, number) => sum + Number(number), 0),
      );
  }
  return switches;
};

/** More processes than the kernel can number are no process table. */
const maxPid = 4_194_304;
/** Of one machine; each takes a kilobyte here, and a machine that lies could number millions. */
const maxProcesses = 65_536;

export interface Observation {
  readonly head: RemoteHead;
  readonly processes: ReadonlyMap<number, ObservedProcess>;
  /** Texts of /proc/net/tcp and so on, as far as they could be read. */
  readonly sockets: readonly { readonly table: string; readonly text: string }[];
  /** The process of each thread that traces another, as far as it is told. */
  readonly tracing: ReadonlyMap<number, number>;
  /** Pids that processes have in pid namespaces of their own, the outer ones first. */
  readonly inside: ReadonlyMap<number, readonly number[]>;
  /** Lines of /proc/net/unix from the fourth column on; null where they were not readable. */
  readonly localSockets: string | null;
  /**
   * Lines of two inodes, a local socket and its other end, 0 where it is closed, and in which
   * directions it is shut; null where there is no ss.
   */
  readonly peers: string | null;
  /** A process, its pipe or terminal, and whether the other end is closed; null: no perl there. */
  readonly polls: string | null;
  /** What lsof prints of the user's processes, where that is what tells of open files. */
  readonly lsof: string;
  /** Inodes of sockets through which processes speak with their machine. */
  readonly machineSockets: ReadonlySet<string>;
  /** How often the threads of a process slept, of those that were asked for and could be read. */
  readonly switches: ReadonlyMap<number, number>;
  readonly files: readonly string[];
  /** A line of `ls -lnd` for each output asked for, in order; empty where there is no such file. */
  readonly outputs: readonly string[];
  /** A start time that was the present when the answer was made. */
  readonly nowStat: string;
}

class Collector {
  readonly processes = new Map<number, ObservedProcess>();
  wrong = false;
  tooMany = false;

  of(text: string): ObservedProcess | null {
    const pid = Number(text);
    if (!/^[1-9]\d{0,6}$/u.test(text) || pid > maxPid) {
      this.wrong = true;
      return null;
    }
    let process = this.processes.get(pid);
    if (process === undefined) {
      this.tooMany ||= this.processes.size >= maxProcesses;
      if (this.tooMany) return null;
      process = {
        pid,
        uid: null,
        stat: null,
        startAfter: null,
        arguments: [],
        environment: [],
        environmentReadable: false,
        rewritten: false,
        tracer: null,
        cgroup: null,
        io: null,
        syscall: null,
        wchan: null,
        links: new Map(),
        access: new Map(),
        held: new Set(),
        locks: new Map(),
        pipes: new Set(),
        masters: new Map(),
        memory: '',
      };
      this.processes.set(pid, process);
    }
    return process;
  }
}

/** The mode of a link in /proc/PID/fd says how that file was opened. */
const accessOf = (mode: string): 'read' | 'write' | 'both' | null => {
  const [, read, write] = /^l([r-])([w-])/u.exec(mode) ?? [];
  if (read === 'r') return write === 'w' ? 'both' : 'read';
  return write === 'w' ? 'write' : null;
};

const takeLink = (collector: Collector, mode: string, path: string, target: string): void => {
  const match = /^\/proc\/(?<pid>\d+)\/(?:task\/\d+\/)?(?<link>fd\/\d{1,10}|cwd|exe|ns\/(?:pid|net))$/u.exec(
    path,
  )?.groups;
  if (match === undefined) return;
  const { pid = '', link = '' } = match;
  const process = collector.of(pid);
  process?.links.set(link, linkTarget(utf8Of(target)));
  const access = accessOf(mode);
  if (access !== null && link.startsWith('fd/')) process?.access.set(Number(link.slice(3)), access);
};

/** Two records a link from find, or a line from ls, with ? for unprintable characters. */
const takeLinks = (collector: Collector, records: readonly string[]): void => {
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? '';
    if (record.startsWith('@')) {
      const [, mode = '', path = ''] = /^@(l[\w-]{9})?(.*)$/su.exec(record) ?? [];
      takeLink(collector, mode, path, records[++at] ?? '');
    } else {
      const line = /^(?<mode>l\S{9}).{1,120}? (?<path>\/proc\/[\w/]+) -> (?<target>.*)$/u.exec(record)?.groups;
      if (line !== undefined) takeLink(collector, line['mode'] ?? '', line['path'] ?? '', line['target'] ?? '');
    }
  }
};

const takeOwners = (collector: Collector, records: readonly string[]): void => {
  for (const record of records) {
    const line = /^d\S+\s+\d+\s+(?<uid>\d{1,10})\s.*\s\/proc\/(?<pid>\d+)$/u.exec(record)?.groups;
    if (line === undefined) continue;
    const process = collector.of(line['pid'] ?? '');
    if (process !== null) process.uid = Number(line['uid']);
  }
};

const takeTexts = (collector: Collector, records: readonly string[]): void =>
  eachFile(records, (pid, file, text) => {
    const process = collector.of(pid);
    if (process === null) return;
    if (file === 'stat') process.stat = text;
    else if (file === 'cmdline') process.arguments.push(text);
    else if (file === 'cgroup') process.cgroup = text;
    else if (file === 'io') process.io = text;
    else if (file === 'syscall' || file === 'wchan') process[file] = text;
  });

/** Lists ended by NUL, where only tr could read them: RS for NUL, US for line breaks. */
const takeJoined = (collector: Collector, records: readonly string[]): void => {
  eachFile(records, (pid, file, text) => {
    const process = collector.of(pid);
    if (process === null) return;
    const parts = text.replaceAll('\u001F', '\n').split('\u001E').slice(0, -1);
    // One by one: a hundred thousand at once are more than a call takes.
    if (file === 'cmdline') for (const part of parts) process.arguments.push(part);
    else if (file === 'cgroup') process.cgroup = parts[0] ?? null;
    else if (file === 'environ') {
      for (const part of parts) process.environment.push(part);
      process.environmentReadable = true;
    } else if (file === 'odd') process.rewritten = parts[0] !== '0';
  });
};

/**
 * Takes an answer to a look apart. Everything in it is a stranger's text: what has not the form is
 * passed over, and an answer without a head or with pids that no kernel gives is refused.
 * @returns the observation, or what was wrong in words
 */
export const observationIn = (sections: AnswerSections): Observation | string => {
  const of = (name: string): readonly string[] => sections.get(name) ?? [];
  const unable = of('unable')[0];
  if (unable !== undefined) return utf8Of(unable).slice(0, 200);
  const head = parseHead(of('head'));
  if (head === null) return 'what it says of itself makes no sense';
  const collector = new Collector();
  takeOwners(collector, of('owners'));
  takeTexts(collector, of('processes'));
  // A grep that knows only lines makes several records of a file whose text has a line break.
  eachFile(of('lines'), (pid, file, text) => {
    const process = collector.of(pid);
    if (process === null || (file !== 'stat' && file !== 'io' && file !== 'syscall' && file !== 'wchan')) return;
    process[file] = `${process[file] ?? ''}${text}\n`;
  });
  takeJoined(collector, of('joined'));
  takePsLines({ fields: of('fields'), commands: of('commands'), kept: of('kept'), started: of('started') }, (pid) =>
    collector.of(pid),
  );
  eachFile(of('environments'), (pid, file, text) => {
    if (file === 'environ') collector.of(pid)?.environment.push(text);
  });
  // How many entries of an environment are odd.
  eachFile(of('readable'), (pid, _file, text) => {
    const process = collector.of(pid);
    if (process === null) return;
    process.environmentReadable = true;
    process.rewritten = text !== '0';
  });
  eachFile(of('tracers'), (pid, _file, text) => {
    const process = collector.of(pid);
    if (process !== null) process.tracer ??= tracerIn(text).tracer ?? null;
  });
  takeLinks(collector, of('links'));
  eachFile(of('held'), (pid, file) => {
    const fd = /^fd\/([12])$/u.exec(file)?.[1];
    if (fd !== undefined) collector.of(pid)?.held.add(Number(fd));
  });
  eachFile(of('locks'), (pid, file, text) => {
    const fd = /^fdinfo\/(\d{1,10})$/u.exec(file)?.[1];
    if (fd !== undefined) collector.of(pid)?.locks.set(Number(fd), text);
  });
  eachFile(of('pipes'), (pid, file) => {
    const fd = /^fd\/(\d{1,10})$/u.exec(file)?.[1];
    if (fd !== undefined) collector.of(pid)?.pipes.add(Number(fd));
  });
  eachFile(of('masters'), (pid, file, text) => {
    const fd = /^fdinfo\/(\d{1,10})$/u.exec(file)?.[1];
    const number = /^tty-index:\s+(\d{1,7})$/u.exec(text)?.[1];
    if (fd !== undefined && number !== undefined) collector.of(pid)?.masters.set(Number(fd), Number(number));
  });
  eachFile(of('memory'), (pid, _file, text) => {
    const process = collector.of(pid);
    if (process !== null) process.memory += `${text}\n`;
  });
  const textOf = (name: string): string | null =>
    of('local')
      .find((record) => record.startsWith(`${name}\n`))
      ?.slice(name.length + 1) ?? null;
  let nowStat: string | null = null;
  eachFile(of('again'), (pid, file, text) => {
    if (pid === 'self') nowStat = text;
    else if (file === 'stat') {
      const process = collector.of(pid);
      if (process !== null) process.startAfter = text;
    }
  });
  eachFile(of('lineagain'), (pid, file, text) => {
    const process = pid === 'self' ? null : collector.of(pid);
    if (pid === 'self') nowStat = `${nowStat ?? ''}${text}\n`;
    else if (file === 'stat' && process !== null) process.startAfter = `${process.startAfter ?? ''}${text}\n`;
  });
  nowStat ??= of('now')[0] ?? null;
  if (collector.tooMany) return `it names more than ${maxProcesses} processes`;
  if (collector.wrong) return 'it names processes that no kernel has';
  if (nowStat === null) return 'its answer does not tell the time';
  return {
    head,
    processes: collector.processes,
    sockets: of('sockets').flatMap((text) => {
      const table = /^(?:tcp|udp|raw|icmp)6?(?=\n)/u.exec(text)?.[0];
      return table === undefined ? [] : [{ table, text }];
    }),
    tracing: tracingIn(of('tracing')),
    inside: insideIn(of('inside')),
    localSockets: textOf('unix'),
    peers: textOf('peers'),
    polls: textOf('polls'),
    lsof: of('lsof')
      .map((record) => record.replaceAll('\u001F', '\0'))
      .join('\n'),
    machineSockets: new Set((textOf('machine') ?? '').split('\n').filter((line) => /^\d+$/u.test(line))),
    switches: switchesIn(of('files')),
    files: of('files').filter((record) => !/^[!^]/u.test(record)),
    outputs: of('files')
      .filter((record) => record.startsWith('!'))
      .map((record) => record.slice(1)),
    nowStat,
  };
};

/** Size in a line of `ls -lnd`; null for anything but a regular file of that user. */
export const fileSizeIn = (line: string, uid: number): number | null => {
  const match = /^-\S*\s+\d+\s+(?<uid>\d+)\s+\d+\s+(?<size>\d{1,15})\s/u.exec(line)?.groups;
  return match !== undefined && Number(match['uid']) === uid ? Number(match['size']) : null;
};
