import { inPopover } from './support/accessible-looks.ts';
import { completeInSmall } from './support/small-looks.ts';
import { views } from './support/views.ts';

completeInSmall('every view and state of the popover in small', views.filter(inPopover));
