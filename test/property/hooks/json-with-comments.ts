import * as fc from 'fast-check';

/** White space and comments that may stand between any two tokens. */
const filler = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('', '', ' ', '\n', '\n  ', '\n    ', '\r\n', '\t', ' \n\n ') },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }).map((text) => `/*${text.replaceAll('*/', '')}*/`) },
  {
    weight: 1,
    arbitrary: fc.string({ maxLength: 8 }).map((text) => `//${text.replaceAll(/[\r\n\u2028\u2029]/gu, '')}\n`),
  },
  { weight: 1, arbitrary: fc.constantFrom('/* a\n b */', ' // "hooks": {},\n', '/* } */', '// curfew-hook\r\n') },
);

const names = fc.oneof(
  fc.constantFrom(
    'hooks',
    'Stop',
    'SessionStart',
    'SessionEnd',
    'PostToolUse',
    'version',
    'hooksConfig',
    'enabled',
    'env',
  ),
  fc.string({ maxLength: 6, unit: 'binary' }),
);

/** Strings, escapes of every kind included, as JSON text. */
const stringText = fc.string({ maxLength: 12, unit: 'binary' }).map((text) => JSON.stringify(text));

const scalar = fc.oneof(
  stringText,
  fc.constantFrom('true', 'false', 'null', '0', '-1.5e+3', '"\\u0041\\/"'),
  fc.integer().map(String),
);

const list = (open: string, close: string, item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(fc.tuple(filler, item, filler), { maxLength: 4 }),
      filler,
      fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constant(',') }),
      filler,
    )
    .map(([items, inside, trailing, end]) =>
      items.length === 0
        ? `${open}${inside}${close}`
        : `${open}${items.map((parts) => parts.join('')).join(',')}${trailing}${end}${close}`,
    );

const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, list('[', ']', tie('value')), tie('object')),
  object: list(
    '{',
    '}',
    fc
      .tuple(names, filler, filler, tie('value'))
      .map(([name, before, after, held]) => `${JSON.stringify(name)}${before}:${after}${held}`),
  ),
}));

/**
 * The text of an object whose `hooks` (if there are any) have the form that agents' settings have.
 */
const settings = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.tuple(
          names.filter((name) => name !== 'hooks' && name !== 'hooksConfig'),
          value,
        ),
        fc.tuple(
          fc.constant('hooks'),
          list(
            '{',
            '}',
            fc
              .tuple(fc.constantFrom('Stop', 'SessionStart', 'Notification', 'stop'), filler, list('[', ']', value))
              .map(([name, gap, held]) => `"${name}":${gap}${held}`),
          ),
        ),
        fc.tuple(
          fc.constant('hooksConfig'),
          list(
            '{',
            '}',
            value.map((held) => `"enabled": ${held}`),
          ),
        ),
      ),
      { maxLength: 4 },
    ),
    fc.array(filler, { minLength: 30, maxLength: 30 }),
    fc.boolean(),
  )
  .map(([properties, fillers, trailing]) => {
    const gap = (index: number): string => fillers[index] ?? '';
    const inside = properties.map(
      ([name, held], index) =>
        `${gap(4 * index)}${JSON.stringify(name)}${gap(4 * index + 1)}:${gap(4 * index + 2)}${held}${gap(4 * index + 3)}`,
    );
    return `{${inside.join(',')}${trailing && inside.length > 0 ? ',' : ''}${gap(28)}}`;
  });

/**
 * Text of a whole file of JSON with comments, of any kind; most are objects as agents' settings
 * are.
 */
export const jsonWithComments: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '', '', '\uFEFF'),
    filler,
    fc.oneof({ weight: 5, arbitrary: settings }, { weight: 1, arbitrary: value }),
    filler,
  )
  .map((parts) => parts.join(''));
