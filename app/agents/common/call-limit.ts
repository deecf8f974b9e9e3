/** How long an agent, as a client of an MCP server, lets one call take. */
export interface CallLimit {
  /** Its name as a client (`clientInfo.name`). */
  readonly client: string;
  /** A variable of its environment, which its servers get, too: the limit in milliseconds. */
  readonly environment: string | null;
  /** Where that says nothing. */
  readonly seconds: number;
}
