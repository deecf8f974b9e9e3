const lineFeed = 0x0a;

/** Of each end of a line that is dropped, bytes: where a message has its id. */
const keptEnds = 1024;

/** A line that was too long to be kept. */
export interface OversizedLine {
  readonly bytes: number;
  /** Its first and its last bytes, as text. */
  readonly start: string;
  readonly end: string;
}

/**
 * Makes lines of a stream. Each byte is copied once, however the line comes in pieces; of a line
 * longer than a limit only the ends are kept, and what follows it is read as ever.
 */
export class BoundedLines {
  readonly #maxBytes: number;
  readonly #drop: (line: OversizedLine) => void;
  #parts: Buffer[] = [];
  #bytes = 0;
  #start = '';
  #end = Buffer.alloc(0);

  /** @param drop is told of each line of more than `maxBytes`, once it has ended */
  constructor(maxBytes: number, drop: (line: OversizedLine) => void) {
    this.#maxBytes = maxBytes;
    this.#drop = drop;
  }

  /** Returns the lines that are complete with this part, each with its line feed. */
  take(part: Buffer): readonly Buffer[] {
    const lines: Buffer[] = [];
    for (let from = 0; from < part.length;) {
      const feed = part.indexOf(lineFeed, from);
      const to = feed === -1 ? part.length : feed + 1;
      this.#add(part.subarray(from, to));
      if (feed !== -1) lines.push(...this.#finish());
      from = to;
    }
    return lines;
  }

  #add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes <= this.#maxBytes) {
      this.#parts.push(piece);
      return;
    }
    if (this.#parts.length > 0) {
      const before = Buffer.concat([...this.#parts, piece]);
      this.#start = before.toString('utf8', 0, keptEnds);
      this.#end = before.subarray(-keptEnds);
      this.#parts = [];
    } else {
      if (this.#start === '') this.#start = piece.toString('utf8', 0, keptEnds);
      this.#end = Buffer.concat([this.#end, piece.subarray(-keptEnds)]).subarray(-keptEnds);
    }
  }

  #finish(): readonly Buffer[] {
    const isWhole = this.#bytes <= this.#maxBytes;
    const lines = isWhole ? [Buffer.concat(this.#parts)] : [];
    if (!isWhole) this.#drop({ bytes: this.#bytes, start: this.#start, end: this.#end.toString('utf8') });
    this.#parts = [];
    this.#bytes = 0;
    this.#start = '';
    this.#end = Buffer.alloc(0);
    return lines;
  }
}
