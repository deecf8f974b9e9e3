import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compareWithHeaders, headerStructs, type Compared } from './header-offsets.ts';

/**
 * What Apple's headers take from parts of a Mac that are no part of XNU, in place of which these
 * lines stand. What is missing besides is empty: a type that were needed would be an error.
 */
const standIns: Readonly<Record<string, string>> = {
  'stdio.h': 'int printf(const char *, ...);',
  'stdint.h': [
    ...[8, 16, 32].flatMap((bits) => [
      `typedef __INT${bits}_TYPE__ int${bits}_t;`,
      `typedef __UINT${bits}_TYPE__ uint${bits}_t;`,
    ]),
    'typedef long long int64_t; typedef unsigned long long uint64_t;',
    'typedef long intptr_t; typedef unsigned long uintptr_t;',
    'typedef long long intmax_t; typedef unsigned long long uintmax_t;',
  ].join('\n'),
  'limits.h': '',
  'sys/_pthread/_pthread_attr_t.h': 'typedef void *pthread_attr_t;',
  'net/if_var_status.h': '',
  'Availability.h': [
    'API_AVAILABLE API_UNAVAILABLE API_DEPRECATED API_DEPRECATED_WITH_REPLACEMENT SPI_AVAILABLE OSX_AVAILABLE',
    'IOS_AVAILABLE TVOS_AVAILABLE WATCHOS_AVAILABLE OSX_DEPRECATED OSX_AVAILABLE_STARTING OS_AVAILABILITY',
    'OSX_AVAILABLE_BUT_DEPRECATED OSX_AVAILABLE_BUT_DEPRECATED_MSG OS_AVAILABILITY_MSG',
  ]
    .flatMap((names) => names.split(' '))
    .map((name) => `#define __${name}(...)`)
    .concat(['IOS', 'TVOS', 'WATCHOS'].map((name) => `#define __${name}_PROHIBITED`))
    .join('\n'),
};

const includes = ['sys/types.h', 'sys/sysctl.h', 'sys/resource.h', 'sys/proc_info.h'];

/** The folders of XNU in which headers are looked for, in this order. */
export const headerFolders = ['bsd', 'osfmk', 'libkern', 'EXTERNAL_HEADERS'] as const;

const maxStandIns = 60;

/** The header that a compiler did not find; null where it complains of something else. */
const missingIn = (said: string): string | null =>
  /fatal error: (?<file>[\w./-]+\.h): No such file/u.exec(said)?.groups?.['file'] ?? null;

/**
 * Compares where fields are read with where the headers of an XNU put them, on any system with gcc
 * for 64 bits. Its private structs are among them.
 * @param xnu a folder with a source tree of XNU
 * @throws with what the compiler says
 */
export const compareWithXnu = (xnu: string): Compared => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-xnu-'));
  const own = spawnSync('cc', ['-print-file-name=include'], { encoding: 'utf8' }).stdout.trim();
  const options = '-nostdinc -w -DPRIVATE -D__APPLE__ -D__LP64__ -U__linux__ -U__linux -Ulinux'
    .split(' ')
    .concat('-Davailability(...)=', '-I', folder)
    .concat(headerFolders.flatMap((one) => ['-isystem', join(xnu, one)]))
    .concat('-isystem', own);
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${text}\n`);
  };
  try {
    for (const [file, text] of Object.entries(standIns)) write(file, text);
    for (let tries = 0; ; tries += 1) {
      try {
        return compareWithHeaders(includes, headerStructs, options);
      } catch (error) {
        const missing = tries < maxStandIns && error instanceof Error ? missingIn(error.message) : null;
        if (missing === null) throw error;
        write(missing, '');
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
