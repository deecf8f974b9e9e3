import { Option, type Command } from 'commander';
import { localHost } from '../../../app/remote/host-list.ts';
import { collected, otherHost, seconds, wholeNumber } from '../common/arguments.ts';
import { type Common, common, json, uid } from '../common/common-options.ts';
import { wrongCall } from '../common/exit-status.ts';
import type { Output } from '../common/output.ts';

/** Each scan is a process of ssh here and a login there. */
const defaultParallel = 16;
/** A machine may be looked at twice, and each question has 25 s. */
const defaultHostLimitSeconds = 60;

type ScanCall = Omit<Common, 'host'> & {
  readonly host: readonly string[];
  readonly explain?: true;
  readonly all?: true;
  readonly share?: string | true;
  readonly hostsFrom?: string;
  readonly allHosts?: true;
  readonly parallel: number;
  readonly hostLimit: number;
};

/** Adds `curfew scan`. */
export const addScan = (program: Command, output: Output, done: (status: number) => void): void => {
  program
    .command('scan')
    .description('lists every job with owner, age and verdict')
    .option('--explain', 'adds reasons and evidence')
    .option('--all', 'also protected jobs and servers that are only shown, and why')
    .addOption(
      new Option('--host <name>', 'another machine, by the name that ssh knows it by; `local` is this one; repeatable')
        .argParser(collected)
        .default([], 'local'),
    )
    .option('--hosts-from <file>', 'machines from a file, one a line; `-` is standard input')
    .option('--all-hosts', 'the machines of the setting `hosts`')
    .addOption(
      new Option('--parallel <number>', 'of several machines, how many at a time')
        .argParser(wholeNumber('--parallel', 1))
        .default(defaultParallel),
    )
    .addOption(
      new Option('--host-limit <duration>', 'of several machines, how long one may take')
        .argParser(seconds('--host-limit'))
        .default(defaultHostLimitSeconds, `${defaultHostLimitSeconds}s`),
    )
    .addOption(
      new Option('--share [file]', 'only figures and common names, to be posted; FILE.svg: also a picture').conflicts([
        'json',
        'explain',
        'all',
        'host',
        'hostsFrom',
        'allHosts',
        'uid',
      ]),
    )
    .addOption(json())
    .addOption(uid())
    .action(async (options: ScanCall) => {
      const { hostsFrom, allHosts, parallel, hostLimit } = options;
      if (options.share !== undefined) {
        const { share } = await import('../commands/share.ts');
        done(await share(options.share === true ? null : options.share, output));
        return;
      }
      const ofUser = options.uid === undefined ? {} : { uid: options.uid };
      const looks = { explain: options.explain === true, all: options.all === true };
      const [first = localHost, ...more] = options.host.map((name) => {
        otherHost({ host: name, ...ofUser });
        return name;
      });
      if (more.length === 0 && hostsFrom === undefined && allHosts !== true) {
        const [{ scan }, { lookOnce }] = await Promise.all([
          import('../commands/scan.ts'),
          import('../common/stay-small.ts'),
        ]);
        lookOnce();
        done(await scan({ ...common(options), host: otherHost({ host: first, ...ofUser }), ...looks }, output));
        return;
      }
      if (options.uid !== undefined) throw wrongCall('--uid is for this machine alone, not for several');
      // Without, what is garbage of 200 machines takes 318 MB; with, 100 MB as of 20.
      const { staySmall } = await import('../common/stay-small.ts');
      staySmall('waits');
      const { scanHosts } = await import('../commands/scan-hosts.ts');
      done(
        await scanHosts(
          {
            ...looks,
            json: options.json === true,
            hosts: options.host,
            hostsFrom: hostsFrom ?? null,
            allHosts: allHosts === true,
            parallel,
            hostLimitSeconds: hostLimit,
          },
          output,
        ),
      );
    });
};
