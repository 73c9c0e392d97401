/** The styles of an SVG that its shapes are painted with: those which attributes say as well. */

export type Declarations = readonly (readonly [property: string, value: string])[];

/** What is painted with what; a rule that names anything but elements, classes and ids is not understood. */
export interface StyleSheet {
  readonly rules: ReadonlyMap<string, Declarations>;
  readonly isWhole: boolean;
}

const SELECTOR = /^(?:[a-zA-Z]+|[.#][\w-]+)$/;
/** More than any logo has. */
const MOST_RULES = 2_000;

export function readStyleSheet(text: string): StyleSheet {
  const rules = new Map<string, Declarations>();
  const { text: plain, isWhole: hasEnd } = withoutComments(text);
  let isWhole = hasEnd;
  const parts = plain.split("}", MOST_RULES + 1);
  if (parts.length > MOST_RULES || (parts.pop() ?? "").trim() !== "") isWhole = false;
  for (const part of parts) {
    const [names = "", body, ...more] = part.split("{");
    const selectors = names.split(",").map((name) => name.trim());
    if (body === undefined || more.length > 0 || !selectors.every((one) => SELECTOR.test(one))) {
      isWhole = false;
      continue;
    }
    const declarations = readDeclarations(body);
    for (const selector of selectors) {
      rules.set(selector, [...(rules.get(selector) ?? []), ...declarations]);
    }
  }
  return { rules, isWhole };
}

export function readDeclarations(text: string): Declarations {
  const found: [string, string][] = [];
  for (const part of text.split(";")) {
    const at = part.indexOf(":");
    if (at < 0) continue;
    const value = part.slice(at + 1).replace(/!\s*important\s*$/i, "");
    found.push([part.slice(0, at).trim().toLowerCase(), value.trim()]);
  }
  return found;
}

/** What an element is painted with by rules: the more a rule says of whom it is for, the later it comes. */
export function declarationsFor(
  { rules }: StyleSheet,
  { name, id, classes }: { name: string; id: string; classes: string },
): Declarations {
  const own = classes.split(/\s+/).map((one) => `.${one}`);
  return [name, ...own, `#${id}`].flatMap((selector) => rules.get(selector) ?? []);
}

function withoutComments(text: string): { text: string; isWhole: boolean } {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf("/*", from);
    if (start < 0) return { text: kept.join("") + text.slice(from), isWhole: true };
    kept.push(text.slice(from, start));
    const end = text.indexOf("*/", start + 2);
    if (end < 0) return { text: kept.join(""), isWhole: false };
    from = end + 2;
  }
}
