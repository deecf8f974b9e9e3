export interface TakenAlong {
  /** By tracer, what it holds: that may end with it. */
  readonly traced: ReadonlyMap<number, readonly number[]>;
  /** By the first process of a pid namespace, what is in it or further inside. */
  readonly inside: ReadonlyMap<number, readonly number[]>;
  readonly parents: ReadonlyMap<number, number>;
}
