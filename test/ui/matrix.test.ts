import { inPopover } from './support/accessible-looks.ts';
import { completeInSmall } from './support/small-looks.ts';
import { views } from './support/views.ts';

// As in accessibility.test.ts, the popover's views have a file and a browser of their own.
completeInSmall(
  'every view and state in small',
  views.filter((view) => !inPopover(view)),
);
