import { expect, test } from 'vitest';
import { inTerminal } from '../../../app/format/in-terminal.ts';

test('a command is run again where it ran', () => {
  expect(inTerminal('npm run dev', '/home/mara/shop')).toBe('cd /home/mara/shop && npm run dev');
  expect(inTerminal('npm run dev', null)).toBe('npm run dev');
});

test('a folder with blanks, quotes and a command in its name stays a folder', () => {
  expect(inTerminal('ls', "/tmp/it's $(reboot) here")).toBe(`cd '/tmp/it'\\''s $(reboot) here' && ls`);
});

test('nothing runs as it is pasted: line breaks are in quotes, and no escape sequence is left', () => {
  expect(inTerminal("echo 'one'\nrm -rf x\n", '/tmp/a\u001B[201~\nb')).toBe(
    "cd '/tmp/a [201~ b' && bash -c 'echo '\\''one'\\''\nrm -rf x'",
  );
});
