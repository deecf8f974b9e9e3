import type { Step } from './model/step.ts';

const quiet = '>/dev/null 2>&1';

/** What a tool call leaves running, in ten shapes; a process is known by the number it sleeps. */
export const shapes = {
  '&': [9001, `sleep 9001 ${quiet} &`],
  nohup: [9002, `nohup sleep 9002 ${quiet} & disown; echo ok`],
  setsid: [9003, `setsid nohup sleep 9003 ${quiet} & echo $!`],
  'double fork': [9004, `( ( setsid sleep 9004 ${quiet} </dev/null & ) & )`],
  pipe: [9005, `(sleep 9005 | cat) ${quiet} &`],
  'deaf to TERM': [9006, `setsid bash -c 'trap "" TERM HUP INT; while :; do sleep 9006; done' ${quiet} </dev/null &`],
  'in a group of its own': [9007, `bash -c 'set -m; sleep 9007 & disown' ${quiet}`],
  'log open': [9008, 'setsid sh -c "sleep 9008; true" > out.log 2>&1 < /dev/null &'],
  'environment cleared': [9009, `setsid env -i /bin/sleep 9009 ${quiet} </dev/null &`],
  'own background': [9010, 'sleep 9010 | cat'],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

/** The name of a shape. */
export type Shape = keyof typeof shapes;

/** The calls of a model that start one command of each shape. */
export const steps: readonly Step[] = Object.entries(shapes).map(([name, [, command]]) =>
  name === 'own background' ? { command, background: true } : { command },
);

/** Returns which shape started a process with this command line; null for what is around it. */
export const shapeOf = (args: string): Shape | null => {
  const slept = /^(?:\/bin\/)?sleep (\d+)$/u.exec(args)?.[1];
  return (Object.keys(shapes) as Shape[]).find((name) => String(shapes[name][0]) === slept) ?? null;
};
