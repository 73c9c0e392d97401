import { LARGEST_BRAND_LOGO, type LeftOutPart } from "../../contract/pos/brand-faces.ts";
import { LeftOut } from "./svg-left-out.ts";
import {
  declarationsFor,
  readDeclarations,
  readStyleSheet,
  type StyleSheet,
} from "./svg-styles.ts";

/**
 * An SVG written anew of shapes and colours alone: whatever could run, load or lay itself out is not in the list, and
 * is left out with all that is in it, and told by name. Styles become the attributes that say the same.
 */
const ELEMENTS = new Set(
  `svg g defs path rect circle ellipse line polyline polygon linearGradient radialGradient stop
   clipPath`.split(/\s+/),
);

/** What attributes and styles say alike. */
const PAINT = new Set(
  `fill fill-rule fill-opacity stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit
   stroke-opacity stroke-dasharray stroke-dashoffset opacity clip-path clip-rule stop-color stop-opacity
   color display visibility`.split(/\s+/),
);

const ATTRIBUTES = new Set(
  `id d x y x1 y1 x2 y2 cx cy r rx ry fx fy width height points transform viewBox
   preserveAspectRatio offset gradientUnits gradientTransform spreadMethod clipPathUnits`.split(
    /\s+/,
  ),
);
/** Where these are, the picture is as large as its view box says. */
const OF_THE_PAGE = new Set(["x", "y", "width", "height", "viewBox"]);

/** Numbers, colours, names and lists of them. */
const VALUE = /^[\w\s.,#%()+-]*$/;
/** What is in the same picture; any other address is left out with its attribute. */
const OWN_ADDRESS = /url\(#[\w-]+\)/g;
const QUOTED_ADDRESS = /url\(\s*(["'])(#[\w-]+)\1\s*\)/g;
const ADDRESS = /url\s*\(/i;
const OWN_GRADIENT = /^#[\w-]+$/;

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/\s*([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|[^<]+/g;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** One that only names what an SVG is; one with a part of its own could say anything. */
const PLAIN_DOCTYPE = /<!DOCTYPE\s+svg\b[^[\]<>]*>/i;

/** More than any logo has. */
const MOST_TOKENS = 20_000;
const MOST_LETTERS = 2 * LARGEST_BRAND_LOGO;
const DEEPEST = 100;

export interface CleanSvg {
  readonly text: string;
  readonly width: number;
  readonly height: number;
  readonly leftOut: readonly LeftOutPart[];
}

type Token =
  | { kind: "OPEN"; name: string; attributes: ReadonlyMap<string, string>; isEmpty: boolean }
  | { kind: "CLOSE"; name: string }
  | { kind: "TEXT"; text: string };

/** @returns undefined for what is no SVG, or one that cannot be understood whole */
export function cleanSvg(source: string): CleanSvg | undefined {
  const text = source
    .replace(/^\uFEFF/, "")
    .replace(PLAIN_DOCTYPE, "")
    .trim();
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return undefined;
  const tokens = readTokens(text);
  if (!tokens) return undefined;
  const writer = new SvgWriter(readStyleSheet(stylesOf(tokens)));
  for (const token of tokens) {
    if (token.kind === "OPEN" && !writer.open(token)) return undefined;
    if (token.kind === "CLOSE" && !writer.close(token.name)) return undefined;
  }
  return writer.finish();
}

/** @returns undefined where there is something between the tokens that none of them is */
function readTokens(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index !== end || tokens.length >= MOST_TOKENS) return undefined;
    end = match.index + match[0].length;
    const [whole, data, closed, opened, attributes = "", isEmpty] = match;
    if (closed !== undefined) tokens.push({ kind: "CLOSE", name: plainName(closed) });
    else if (opened !== undefined) {
      const read = readAttributes(attributes);
      const name = plainName(opened);
      tokens.push({ kind: "OPEN", name, attributes: read, isEmpty: isEmpty === "/" });
    } else tokens.push({ kind: "TEXT", text: data ?? (whole.startsWith("<") ? "" : whole) });
  }
  return end === text.length ? tokens : undefined;
}

/** Some programs write the names of SVG with the prefix that they have for it. */
function plainName(name: string): string {
  return name.replace(/^svg:/, "");
}

function readAttributes(text: string): Map<string, string> {
  const read = new Map<string, string>();
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE)) {
    read.set(name, (double ?? single ?? "").replaceAll("&quot;", '"').replaceAll("&apos;", "'"));
  }
  return read;
}

/** What stands in its `style` elements. */
function stylesOf(tokens: readonly Token[]): string {
  const parts: string[] = [];
  let isWithin = false;
  for (const token of tokens) {
    if (token.kind === "OPEN") isWithin = token.name === "style" && !token.isEmpty;
    else if (token.kind === "CLOSE") isWithin = false;
    else if (isWithin) parts.push(token.text);
  }
  return parts.join("\n");
}

class SvgWriter {
  readonly #styles: StyleSheet;
  readonly #leftOut = new LeftOut();
  #text = "";
  #root: { given: ReadonlyMap<string, string>; kept: ReadonlyMap<string, string> } | undefined;
  readonly #open: string[] = [];
  /** How deep the element is that is left out with all that is in it. */
  #leftOutFrom: number | undefined;

  constructor(styles: StyleSheet) {
    this.#styles = styles;
    if (!styles.isWhole) this.#leftOut.styles();
  }

  open({ name, attributes, isEmpty }: Token & { kind: "OPEN" }): boolean {
    const depth = this.#open.length;
    if (depth >= DEEPEST || this.#text.length > MOST_LETTERS) return false;
    if (depth === 0 && (name !== "svg" || this.#root)) return false;
    if (this.#leftOutFrom === undefined && !ELEMENTS.has(name)) {
      this.#leftOutFrom = depth;
      // Its rules are in the shapes by now.
      if (name !== "style") this.#leftOut.element(name);
    }
    if (this.#leftOutFrom === undefined) {
      const kept = this.#keep(name, attributes);
      if (depth === 0) this.#root = { given: attributes, kept };
      else this.#text += `<${name}${written(kept)}${isEmpty ? "/" : ""}>`;
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
    const { given, kept } = this.#root;
    const box = (given.get("viewBox") ?? "")
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    const [x = 0, y = 0, wide = 0, high = 0] = box;
    const hasBox = box.length === 4 && box.every(Number.isFinite);
    const width = hasBox ? wide : Number.parseFloat(given.get("width") ?? "");
    const height = hasBox ? high : Number.parseFloat(given.get("height") ?? "");
    if (!(width > 0 && height > 0)) return undefined;
    const paint = new Map([...kept].filter(([name]) => !OF_THE_PAGE.has(name)));
    const head = `viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}"`;
    const text = `<svg xmlns="http://www.w3.org/2000/svg" ${head}${written(paint)}>${this.#text}</svg>`;
    const size = { width: Math.round(width), height: Math.round(height) };
    return { text, ...size, leftOut: this.#leftOut.list() };
  }

  /** The attributes of an element: its own, over them what rules say of it, and over these its own style. */
  #keep(name: string, given: ReadonlyMap<string, string>): Map<string, string> {
    const kept = new Map<string, string>();
    for (const [key, value] of given) {
      if (ATTRIBUTES.has(key) || PAINT.has(key)) this.#take(kept, key, value);
      else if (/^(?:xlink:)?href$/.test(key)) this.#takeHref(kept, name, value);
      else this.#leftOut.property(key, value);
    }
    const who = { name, id: given.get("id") ?? "", classes: given.get("class") ?? "" };
    const styles = [
      ...declarationsFor(this.#styles, who),
      ...readDeclarations(given.get("style") ?? ""),
    ];
    for (const [key, value] of styles) {
      if (PAINT.has(key)) this.#take(kept, key, value);
      else this.#leftOut.property(key, value);
    }
    return kept;
  }

  #take(kept: Map<string, string>, key: string, value: string): void {
    const plain = value.replaceAll(QUOTED_ADDRESS, "url($2)");
    const others = plain.replaceAll(OWN_ADDRESS, "");
    if (VALUE.test(others) && !ADDRESS.test(others)) kept.set(key, plain);
    else this.#leftOut.property(key, value);
  }

  /** A gradient has its colours of another one of the same picture. */
  #takeHref(kept: Map<string, string>, name: string, value: string): void {
    if (name.endsWith("Gradient") && OWN_GRADIENT.test(value)) kept.set("href", value);
    else this.#leftOut.property("href", value);
  }

  #endOf(depth: number): void {
    if (this.#leftOutFrom === depth) this.#leftOutFrom = undefined;
  }
}

function written(attributes: ReadonlyMap<string, string>): string {
  return [...attributes].map(([key, value]) => ` ${key}="${value}"`).join("");
}
