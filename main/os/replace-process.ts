export { replaceProcess } from './linux/control/replace-process.ts';
