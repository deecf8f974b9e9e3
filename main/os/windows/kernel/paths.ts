/** What Windows says of files and programs is of Windows, whatever its form. */
export { windowsPath as plainPath, windowsProgram as programPath } from '../../../../app/paths/path.ts';
import { windowsProgram } from '../../../../app/paths/path.ts';

/** Returns the name by which the file of a program is compared. */
export const programFile = (image: string): string => windowsProgram(image).split('/').at(-1) ?? '';
