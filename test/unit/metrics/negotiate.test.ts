import { expect, test } from 'vitest';
import { negotiate } from '../../../app/metrics/exposition.ts';

const prometheus2 =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
const prometheus3 =
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';

test.each([
  ['Prometheus 2.42', prometheus2, 'openmetrics'],
  ['Prometheus 3', prometheus3, 'openmetrics'],
  ['a browser', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text'],
  ['curl', '*/*', 'text'],
  ['no header', null, 'text'],
  ['an empty header', '', 'text'],
  ['a version that is not spoken here', 'application/openmetrics-text;version=2.0.0', 'text'],
  ['a refusal of OpenMetrics', 'application/openmetrics-text;q=0, text/plain;q=0.1', 'text'],
  ['a weight that makes no sense', 'application/openmetrics-text;q=much, text/plain;q=0.1', 'text'],
  ['other letters and blanks', ' Application/OpenMetrics-Text ; Version=1.0.0 ', 'openmetrics'],
])('%s', (_, accept, format) => {
  expect(negotiate(accept)).toBe(format);
});
