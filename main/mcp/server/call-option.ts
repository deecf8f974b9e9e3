/** The hidden option with which `curfew mcp` does one call of a tool. */
export const callOption = '--call';
