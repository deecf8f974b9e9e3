import { provisions } from '../../judge/vetoes/provides-device.ts';
import type { StopReason } from '../../judge/stop-reason.ts';
import type { VetoCode } from '../../judge/verdict.ts';
import type { Figures } from '../figures.ts';
import type { Forms } from '../said/resay.ts';
import { sayVeto } from '../vetoes.ts';
import { germanVeto } from './vetoes.ts';

/** A text that stands for itself in a form. */
const given = (...names: readonly string[]): Figures => Object.fromEntries(names.map((name) => [name, `{${name}}`]));

/** Numbers that stand for a figure in a form. */
const numbers = {
  inside: 900_000_001,
  holds: 900_000_002,
  uid: 900_000_003,
  tracer: 900_000_004,
  port: 900_000_005,
  other: 900_000_006,
};
const number = (name: keyof typeof numbers): Figures => ({ [name]: numbers[name] });

const programs: readonly Figures[] = [{}, given('name'), { ...given('name'), ...number('inside') }];

/** The figures with which each veto has a sentence of its own. */
const variants: Readonly<Record<VetoCode | StopReason, readonly Figures[]>> = {
  init: [{}],
  'kernel-thread': [{}],
  curfew: [{}, { as: 'itself' }, { as: 'ancestor' }, { as: 'group' }, { as: 'run' }],
  agent: programs,
  editor: programs,
  terminal: [...programs, { as: 'taken-over' }, { ...given('name'), ...number('holds') }],
  multiplexer: programs,
  'login-shell': [{}, given('name')],
  'shared-daemon': [
    ...programs,
    given('provides'),
    given('provides', 'name'),
    ...provisions.flatMap((provides) => [{ provides }, { provides, ...given('name') }]),
  ],
  desktop: programs,
  'other-user': [{}, number('uid')],
  'service-manager': [
    {},
    given('service'),
    { launchd: 'app' },
    { launchd: 'app', ...given('service') },
    { launchd: 'job' },
    { launchd: 'job', ...given('service') },
    { launchd: 'untold' },
    { launchd: 'untold', ...given('service') },
    { windows: 'service' },
    { windows: 'service', ...given('service') },
  ],
  container: [{}, given('runtime')],
  'other-namespace': [{}],
  'keep-marker': [{}, { by: 'seen' }, { by: 'command' }, { by: 'mine' }],
  'keep-unknown': [{}, { hidden: 'refused' }],
  traced: [{}, number('tracer'), { ...given('name'), ...number('tracer') }],
  'takes-others': ['tracer', 'namespace'].flatMap((as) => [
    { as, ...number('other') },
    { as, ...number('other'), ...given('name') },
  ]),
  unread: [{}, { what: 'memory' }, { what: 'program' }, { what: 'debugger' }, { what: 'parent' }],
  'kept-by-agent': [{}, given('evidence')],
  'proxy-in-use': [{}, number('port')],
  window: [{}, given('at')],
  'server-in-use': [{}],
  'no-provenance': [{}],
  'identity-changed': [{}],
  'owner-returned': [{}],
  'spoken-to': [{}],
  'put-off': [{}],
};

const withNames = (text: string): string =>
  Object.entries(numbers).reduce((sofar, [name, value]) => sofar.replaceAll(String(value), `{${name}}`), text);

/** Vetoes inside sentences that are kept as English text, as those of a refusal are. */
export const vetoForms: Forms = Object.fromEntries(
  (Object.keys(variants) as readonly (keyof typeof variants)[]).flatMap((code) =>
    variants[code].map((figures) => [
      withNames(sayVeto({ code, figures })),
      withNames(germanVeto(code, figures) ?? sayVeto({ code, figures })),
    ]),
  ),
);
