/**
 * Checks of hand-written JSON files and of requests beyond `JSON.parse`: syntax errors, duplicate
 * names and the positions of values.
 */
export type JsonPath = readonly (string | number)[];

/** Line and column, counted from 1. */
export interface TextPlace {
  line: number;
  column: number;
}

/** A syntax error or a duplicate name. `JSON.parse` silently uses the last duplicate. */
export class JsonFault extends Error {
  readonly offset: number;
  /** Path of a duplicate name; undefined for a syntax error. */
  readonly repeated: (string | number)[] | undefined;

  constructor(message: string, offset: number, repeated?: string) {
    super(message);
    this.offset = offset;
    this.repeated = repeated === undefined ? undefined : [repeated];
  }
}

export function placeOf(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: offset - before.lastIndexOf("\n") };
}

/** @throws JsonFault at the first syntax error or duplicate name */
export function checkJsonText(text: string): void {
  new Walk(text).run(undefined);
}

/**
 * Returns the offset of the value at each path. For a missing path, returns the offset of the
 * nearest existing ancestor.
 */
export function locateValues(text: string, paths: readonly JsonPath[]): number[] {
  const root = makeWanted();
  const wanted = paths.map((path) => {
    const steps = [root];
    let step = root;
    for (const key of path) {
      const next = step.children.get(key) ?? makeWanted();
      step.children.set(key, next);
      step = next;
      steps.push(step);
    }
    return steps;
  });
  new Walk(text).run(root);
  return wanted.map((steps) => steps.findLast((step) => step.offset >= 0)?.offset ?? 0);
}

/** A path to locate, with the longer paths that start with this path. */
interface Wanted {
  children: Map<string | number, Wanted>;
  offset: number;
}

function makeWanted(): Wanted {
  return { children: new Map(), offset: -1 };
}

const DEEPEST = 100;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
/** Characters of a string up to its end, an escape or a character that must be escaped. */
const PLAIN = /[ !#-[\]-\uffff]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SPACE = /[ \t\n\r]*/y;

/** Parses a text in one pass by the grammar of RFC 8259. */
class Walk {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(wanted: Wanted | undefined): void {
    this.#value(wanted, 0);
    if (this.#at < this.#text.length) throw this.#unexpected("the end of the text");
  }

  #value(wanted: Wanted | undefined, depth: number): void {
    this.#take(SPACE);
    if (depth > DEEPEST) throw new JsonFault("is nested too deeply", this.#at);
    if (wanted) wanted.offset = this.#at;
    switch (this.#text[this.#at]) {
      case "{":
        this.#members("}", depth, wanted, new Set());
        break;
      case "[":
        this.#members("]", depth, wanted, undefined);
        break;
      case '"':
        this.#string();
        break;
      default:
        if (!this.#take(NUMBER) && !this.#take(WORD)) throw this.#unexpected("a value");
    }
    this.#take(SPACE);
  }

  /** Parses the members of an object, collecting their names, or the items of an array. */
  #members(
    close: "}" | "]",
    depth: number,
    wanted: Wanted | undefined,
    names: Set<string> | undefined,
  ): void {
    this.#at++;
    this.#take(SPACE);
    if (this.#is(close)) return;
    for (let index = 0; ; index++) {
      const key = names ? this.#name(names) : index;
      try {
        this.#value(wanted?.children.get(key), depth + 1);
      } catch (error) {
        if (error instanceof JsonFault) error.repeated?.unshift(key);
        throw error;
      }
      if (this.#is(close)) return;
      if (!this.#is(",")) throw this.#unexpected(`"," or "${close}"`);
    }
  }

  #name(names: Set<string>): string {
    this.#take(SPACE);
    const begin = this.#at;
    if (this.#text[begin] !== '"') throw this.#unexpected("a name in double quotes");
    this.#string();
    const written = this.#text.slice(begin + 1, this.#at - 1);
    const name = written.includes("\\") ? (JSON.parse(`"${written}"`) as string) : written;
    if (names.has(name)) throw new JsonFault(`has the name "${name}" twice`, begin, name);
    names.add(name);
    this.#take(SPACE);
    if (!this.#is(":")) throw this.#unexpected('":"');
    return name;
  }

  #string(): void {
    const begin = this.#at;
    this.#at++;
    for (;;) {
      this.#take(PLAIN);
      if (this.#is('"')) return;
      if (this.#at >= this.#text.length) throw new JsonFault("a string has no end", begin);
      if (!this.#take(ESCAPE)) throw this.#unexpected("the end of the string or an escape");
    }
  }

  #is(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    const moved = pattern.lastIndex > this.#at;
    this.#at = pattern.lastIndex;
    return moved;
  }

  #unexpected(expected: string): JsonFault {
    const found = this.#text.codePointAt(this.#at);
    if (found === undefined) return new JsonFault(`ends where ${expected} was expected`, this.#at);
    const shown = JSON.stringify(String.fromCodePoint(found));
    return new JsonFault(`has ${shown} where ${expected} was expected`, this.#at);
  }
}
