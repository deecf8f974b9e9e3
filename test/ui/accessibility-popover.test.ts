import { accessibleInEveryLook, inPopover } from './support/accessible-looks.ts';
import { views } from './support/views.ts';

accessibleInEveryLook('every view and state of the popover', views.filter(inPopover));
