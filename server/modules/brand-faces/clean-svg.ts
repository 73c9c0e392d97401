/**
 * An SVG written anew of shapes and colours alone: whatever could run, load or lay itself out by styles is
 * not in the list, and is left out with all that is in it.
 */
const ELEMENTS = new Set(
  `svg g defs path rect circle ellipse line polyline polygon linearGradient radialGradient stop
   clipPath`.split(/\s+/),
);

const ATTRIBUTES = new Set(
  `id d x y x1 y1 x2 y2 cx cy r rx ry fx fy width height points transform viewBox
   preserveAspectRatio fill fill-rule fill-opacity stroke stroke-width stroke-linecap
   stroke-linejoin stroke-miterlimit stroke-opacity opacity clip-path clip-rule offset stop-color
   stop-opacity gradientUnits gradientTransform spreadMethod clipPathUnits`.split(/\s+/),
);

/** Numbers, colours, names and lists of them. */
const VALUE = /^[\w\s.,#%()+-]*$/;
/** What is in the same picture; any other address is left out with its attribute. */
const OWN_ADDRESS = /url\(#[\w-]+\)/g;
const ADDRESS = /url\s*\(/i;

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<\/\s*([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|[^<]+/g;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** More than any logo has. */
const MOST_TOKENS = 20_000;
const DEEPEST = 100;

export interface CleanSvg {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

/** @returns undefined for what is no SVG, or one that cannot be understood whole */
export function cleanSvg(source: string): CleanSvg | undefined {
  const text = source.replace(/^\uFEFF/, "").trim();
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return undefined;
  const writer = new SvgWriter();
  let end = 0;
  let tokens = 0;
  for (const match of text.matchAll(TOKEN)) {
    // Something between the tokens that none of them is.
    if (match.index !== end || ++tokens > MOST_TOKENS) return undefined;
    end = match.index + match[0].length;
    const [, closed, opened, attributes = "", isEmpty] = match;
    if (closed !== undefined && !writer.close(closed)) return undefined;
    if (opened !== undefined && !writer.open(opened, attributes, isEmpty === "/")) return undefined;
  }
  return end === text.length ? writer.finish() : undefined;
}

class SvgWriter {
  #text = "";
  #root: ReadonlyMap<string, string> | undefined;
  readonly #open: string[] = [];
  /** How deep the element is that is left out with all that is in it. */
  #leftOutFrom: number | undefined;

  open(name: string, attributes: string, isEmpty: boolean): boolean {
    const depth = this.#open.length;
    if (depth >= DEEPEST || (depth === 0 && (name !== "svg" || this.#root))) return false;
    const kept = readAttributes(attributes);
    if (depth === 0) this.#root = kept;
    if (this.#leftOutFrom === undefined && !ELEMENTS.has(name)) this.#leftOutFrom = depth;
    if (this.#leftOutFrom === undefined && depth > 0) {
      const words = [...kept].map(([key, value]) => ` ${key}="${value}"`).join("");
      this.#text += `<${name}${words}${isEmpty ? "/" : ""}>`;
    }
    if (isEmpty) this.#endOf(depth);
    else this.#open.push(name);
    return true;
  }

  close(name: string): boolean {
    if (this.#open.pop() !== name) return false;
    const depth = this.#open.length;
    if (this.#leftOutFrom === undefined && depth > 0) this.#text += `</${name}>`;
    this.#endOf(depth);
    return true;
  }

  finish(): CleanSvg | undefined {
    if (!this.#root || this.#open.length > 0 || this.#text === "") return undefined;
    const box = (this.#root.get("viewBox") ?? "").split(/[\s,]+/).map(Number);
    const [x = 0, y = 0, wide = 0, high = 0] = box;
    const hasBox = box.length === 4 && box.every(Number.isFinite);
    const width = hasBox ? wide : Number.parseFloat(this.#root.get("width") ?? "");
    const height = hasBox ? high : Number.parseFloat(this.#root.get("height") ?? "");
    if (!(width > 0 && height > 0)) return undefined;
    const fill = this.#root.get("fill");
    const head = `viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}"`;
    const text = `<svg xmlns="http://www.w3.org/2000/svg" ${head}${fill ? ` fill="${fill}"` : ""}>${this.#text}</svg>`;
    return { text, width: Math.round(width), height: Math.round(height) };
  }

  #endOf(depth: number): void {
    if (this.#leftOutFrom === depth) this.#leftOutFrom = undefined;
  }
}

function readAttributes(text: string): Map<string, string> {
  const kept = new Map<string, string>();
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? "";
    const others = value.replaceAll(OWN_ADDRESS, "");
    const isHarmless = VALUE.test(others) && !ADDRESS.test(others);
    if (ATTRIBUTES.has(name) && isHarmless) kept.set(name, value);
  }
  return kept;
}
