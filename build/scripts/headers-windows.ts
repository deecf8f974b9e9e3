// npm run headers:windows [-- FOLDER]: compares main/os/windows/kernel/layouts.ts with what phnt
// (System Informer's headers of the native API) and the Windows SDK of mingw-w64 declare. phnt is
// downloaded to a temporary folder, or read from FOLDER; nothing of it is kept. Needs
// x86_64-w64-mingw32-gcc (Debian: gcc-mingw-w64-x86-64-win32) and tar.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processClass, systemClass, tokenClass } from '../../main/os/windows/kernel/kernel.ts';
import * as layouts from '../../main/os/windows/kernel/layouts.ts';

const source = 'https://codeload.github.com/winsiderss/phnt/tar.gz/HEAD';
const compiler = 'x86_64-w64-mingw32-gcc';

/** What is expected of the compiled headers: an expression of C, and its value. */
type Expected = readonly [expression: string, value: number];

const { processRow, basicInformation, processTimes, parameters, unicodeString, tcpRow, udpRow } = layouts;

/** A struct: its size where Curfew depends on it, and where its fields lie. */
const struct = (
  name: string,
  size: number | null,
  fields: Readonly<Record<string, number>> = {},
): readonly Expected[] => [
  ...(size === null ? [] : [[`sizeof(${name})`, size] as const]),
  ...Object.entries(fields).map(([field, at]) => [`offsetof(${name}, ${field})`, at] as const),
];

/** Rows of TCP: those of IPv6 have their addresses under other names. */
const tcpRows = (name: string, address: string, row: (typeof tcpRow)['tcp4' | 'tcp6']): readonly Expected[] =>
  struct(name, row.size, {
    dwState: row.state,
    [`${address}LocalAddr`]: row.local,
    dwLocalPort: row.localPort,
    [`${address}RemoteAddr`]: row.remote,
    dwRemotePort: row.remotePort,
    dwOwningPid: row.pid,
  });

const udpRows = (name: string, row: (typeof udpRow)['udp4' | 'udp6']): readonly Expected[] =>
  struct(name, row.size, { dwLocalPort: row.localPort, dwOwningPid: row.pid });

const expected: readonly Expected[] = [
  ...struct('SYSTEM_PROCESS_INFORMATION_HEAD', processRow.size, {
    NextEntryOffset: processRow.next,
    NumberOfThreads: processRow.threads,
    CreateTime: processRow.created,
    UserTime: processRow.user,
    KernelTime: processRow.kernel,
    'ImageName.Length': processRow.nameBytes,
    'ImageName.Buffer': processRow.name,
    UniqueProcessId: processRow.pid,
    InheritedFromUniqueProcessId: processRow.parent,
    SessionId: processRow.session,
    WorkingSetSize: processRow.workingSet,
  }),
  ...struct('PROCESS_BASIC_INFORMATION', basicInformation.size, {
    PebBaseAddress: basicInformation.peb,
    UniqueProcessId: basicInformation.pid,
    InheritedFromUniqueProcessId: basicInformation.parent,
  }),
  ...struct('KERNEL_USER_TIMES', processTimes.size, {
    CreateTime: processTimes.created,
    ExitTime: processTimes.ended,
    KernelTime: processTimes.kernel,
    UserTime: processTimes.user,
  }),
  ...struct('PEB_HEAD', null, { ProcessParameters: layouts.pebParameters }),
  ...struct('RTL_USER_PROCESS_PARAMETERS', null, {
    ConsoleHandle: parameters.console,
    StandardInput: parameters.standard[0],
    StandardOutput: parameters.standard[1],
    StandardError: parameters.standard[2],
    CurrentDirectory: parameters.folder,
    ImagePathName: parameters.image,
    CommandLine: parameters.commandLine,
    Environment: parameters.environment,
    EnvironmentSize: parameters.environmentBytes,
  }),
  ...struct('UNICODE_STRING', unicodeString.size, { Length: unicodeString.bytes, Buffer: unicodeString.pointer }),
  ['ProcessBasicInformation', processClass.basic],
  ['ProcessTimes', processClass.times],
  ['ProcessDebugPort', processClass.debugPort],
  ['ProcessSessionInformation', processClass.session],
  ['ProcessBreakOnTermination', processClass.breakOnTermination],
  ['ProcessImageFileNameWin32', processClass.imageName],
  ['ProcessCommandLineInformation', processClass.commandLine],
  ['ProcessProtectionInformation', processClass.protection],
  ['SystemProcessInformation', systemClass.processes],
  ['TokenUser', tokenClass.user],
  ['TokenElevation', tokenClass.elevation],
  ['TokenIntegrityLevel', tokenClass.integrity],
  ...struct('TOKEN_USER', layouts.sid.inTokenUser),
  ...struct('SID', null, { SubAuthorityCount: layouts.sid.count, SubAuthority: layouts.sid.header }),
  ['SID_MAX_SUB_AUTHORITIES', layouts.sid.maxCount],
  ...tcpRows('MIB_TCPROW_OWNER_PID', 'dw', tcpRow.tcp4),
  ...tcpRows('MIB_TCP6ROW_OWNER_PID', 'uc', tcpRow.tcp6),
  ...udpRows('MIB_UDPROW_OWNER_PID', udpRow.udp4),
  ...udpRows('MIB_UDP6ROW_OWNER_PID', udpRow.udp6),
];

/** What is taken from phnt, in the order in which each needs the ones before. */
const taken = [
  'enum _KTHREAD_STATE',
  'enum _KWAIT_REASON',
  'enum _PROCESSINFOCLASS',
  'enum _SYSTEM_INFORMATION_CLASS',
  'struct _SYSTEM_PROCESS_INFORMATION',
  'struct _PROCESS_BASIC_INFORMATION',
  'struct _KERNEL_USER_TIMES',
  'struct _CURDIR',
  'struct _RTL_DRIVE_LETTER_CURDIR',
  'struct _RTL_USER_PROCESS_PARAMETERS',
  'struct _PEB',
];

/** Fields behind these are not needed, and of types that would have to be taken too. */
const cutAfter: Readonly<Record<string, string>> = {
  'struct _SYSTEM_PROCESS_INFORMATION': 'OtherTransferCount;',
  'struct _PEB': 'ProcessParameters;',
};

/** Types that mingw-w64's windows.h leaves out. */
const prelude = `#include <winsock2.h>
#include <windows.h>
#include <iphlpapi.h>
#include <stddef.h>
typedef LONG KPRIORITY;
typedef LONG NTSTATUS;
typedef struct { USHORT Length; USHORT MaximumLength; PWCH Buffer; } UNICODE_STRING, *PUNICODE_STRING;
typedef struct { USHORT Length; USHORT MaximumLength; PCHAR Buffer; } STRING;
typedef struct { HANDLE UniqueProcess; HANDLE UniqueThread; } CLIENT_ID;
#define RTL_MAX_DRIVE_LETTERS 32
`;

/** Returns the declaration of a type in phnt's text. */
const declarationOf = (text: string, name: string): string => {
  const from = text.indexOf(`typedef ${name}\n`);
  if (from === -1) throw new Error(`phnt has no "${name}" any more`);
  const short = name.split(' _')[1] ?? '';
  const cut = cutAfter[name];
  if (cut !== undefined) {
    const to = text.indexOf(cut, from) + cut.length;
    return `${text.slice(from, to)}\n} ${short}_HEAD;\n`.replace(/typedef struct \w+/u, 'typedef struct');
  }
  const [end = ''] = new RegExp(String.raw`\n\} ${short}\b[^;]*;`, 'u').exec(text.slice(from)) ?? [];
  return `${text.slice(from, text.indexOf(end, from) + end.length)}\n`;
};

const headersIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.h'))
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n'))
    .join('\n');

const run = (command: string, args: readonly string[]): void => {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`);
};

const folder = mkdtempSync(join(tmpdir(), 'curfew-phnt-'));
try {
  const [given] = process.argv.slice(2);
  if (given === undefined) {
    const answer = await fetch(source);
    if (!answer.ok) throw new Error(`${source} answered ${answer.status}`);
    writeFileSync(join(folder, 'phnt.tar.gz'), Buffer.from(await answer.arrayBuffer()));
    run('tar', ['-xzf', join(folder, 'phnt.tar.gz'), '-C', folder]);
  }
  const text = headersIn(given ?? folder);
  const program = [
    prelude,
    'typedef struct _RTL_USER_PROCESS_PARAMETERS *PRTL_USER_PROCESS_PARAMETERS;',
    'typedef struct _PEB *PPEB;',
    'typedef struct _PEB_LDR_DATA *PPEB_LDR_DATA;',
    'typedef struct { LARGE_INTEGER unused[10]; } SYSTEM_THREAD_INFORMATION;',
    ...taken.map((name) => declarationOf(text, name)),
    ...expected.map(
      ([expression, value]) => `_Static_assert((${expression}) == ${value}, "${expression} is not ${value}");`,
    ),
  ].join('\n');
  writeFileSync(join(folder, 'compared.c'), program);
  const { status, stderr, error } = spawnSync(compiler, ['-fsyntax-only', join(folder, 'compared.c')], {
    encoding: 'utf8',
  });
  if (status !== 0) {
    console.error(error?.message ?? stderr);
    process.exitCode = 1;
  } else console.log(`${expected.length} numbers of Windows are as phnt and mingw-w64 have them`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
