/** The first argument that makes the command line the helper of `HelperAsker`. */
export const consoleHelperArgument = '__console-event';
