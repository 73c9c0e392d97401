import {
  LARGEST_BRAND_LOGO,
  type LeftOutKind,
  type LeftOutPart,
} from "../../../contract/pos/brand-faces.ts";
import { readPng, requireLogoSize, unfit } from "../../shop/shop/index.ts";

const SELECTOR = /^(?:[a-zA-Z]+|[.#][\w-]+)$/;
/** More than any logo has. */
const MOST_RULES = 2_000;

const KINDS: readonly (readonly [LeftOutKind, RegExp])[] = [
  ["TEXT", /^(?:text|tspan|textPath|font|font-face)$/],
  ["PICTURE", /^(?:image|feImage)$/],
  ["COPY", /^(?:use|symbol)$/],
  ["EFFECT", /^(?:filter|mask|pattern|marker.*|mix-blend-mode|mask-.*)$/],
  ["STYLE", /^style$/],
  ["ACTIVE", /^(?:script|foreignObject|a|animate.*|set|audio|video|iframe|on.*)$/],
];

/** What nobody sees: what drawing programs note for themselves, and how letters would look that are not there. */
const UNSEEN_ELEMENTS = /^(?:title|desc|metadata|.*:.*)$/;
const UNSEEN =
  /^(?:xmlns|version|baseProfile|class|style|id|role|focusable|tabindex|enable-background|overflow|isolation|vector-effect|paint-order|color-interpolation.*|.*-rendering|solid-.*|font.*|text-.*|line-height|letter-spacing|word-spacing|white-space|writing-mode|direction|unicode-bidi|block-progression|data-.*|aria-.*|-.*|.*:.*)$/;
/** As if it were not said. */
const NOTHING = /^(?:none|normal|auto|inherit|initial|)$/;

/** Collects what is left out of a picture, by the name that it has there. */
class LeftOut {
  readonly #names = new Map<LeftOutKind, Set<string>>();

  element(name: string): void {
    if (!UNSEEN_ELEMENTS.test(name)) this.#add(name);
  }

  /** @param name of an attribute or a property */
  property(name: string, value: string): void {
    if (!UNSEEN.test(name) && !NOTHING.test(value.trim())) this.#add(name);
  }

  styles(): void {
    this.#add("style");
  }

  list(): LeftOutPart[] {
    return [...this.#names].map(([kind, names]) => ({ kind, names: [...names].slice(0, MOST) }));
  }

  #add(name: string): void {
    const kind = KINDS.find(([, names]) => names.test(name))?.[0] ?? "OTHER";
    const names = this.#names.get(kind) ?? new Set();
    this.#names.set(kind, names.add(name.slice(0, LONGEST)));
  }
}

/** So many names of a kind are said. */
const MOST = 10;
const LONGEST = 40;

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

export interface BrandLogoPicture {
  readonly type: "image/png" | "image/svg+xml";
  readonly content: Buffer;
  readonly width: number;
  readonly height: number;
  readonly leftOut: readonly LeftOutPart[];
}

/**
 * A logo as it is kept: a PNG as it was sent, an SVG written anew.
 * @throws Problem INVALID_REQUEST naming `content`
 */
export function readBrandLogo(bytes: Buffer): BrandLogoPicture {
  if (bytes.length > LARGEST_BRAND_LOGO) {
    throw unfit(`must have at most ${LARGEST_BRAND_LOGO / 1024} KB`);
  }
  const picture = asPng(bytes) ?? asSvg(bytes);
  if (!picture) throw unfit("must be a PNG picture, or an SVG of shapes");
  requireLogoSize(picture);
  return picture;
}

function asPng(bytes: Buffer): BrandLogoPicture | undefined {
  const picture = readPng(bytes);
  if (!picture) return undefined;
  const { width, height } = picture;
  return { type: "image/png", content: bytes, width, height, leftOut: [] };
}

function asSvg(bytes: Buffer): BrandLogoPicture | undefined {
  const clean = cleanSvg(bytes.toString("utf8"));
  if (!clean) return undefined;
  const { text, ...rest } = clean;
  return { type: "image/svg+xml", content: Buffer.from(text), ...rest };
}

interface CleanSvg {
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
function cleanSvg(source: string): CleanSvg | undefined {
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

function written(attributes: ReadonlyMap<string, string>): string {
  return [...attributes].map(([key, value]) => ` ${key}="${value}"`).join("");
}

/** The styles of an SVG that its shapes are painted with: those which attributes say as well. */

type Declarations = readonly (readonly [property: string, value: string])[];

/** What is painted with what; a rule that names anything but elements, classes and ids is not understood. */
interface StyleSheet {
  readonly rules: ReadonlyMap<string, Declarations>;
  readonly isWhole: boolean;
}

function readStyleSheet(text: string): StyleSheet {
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

function readDeclarations(text: string): Declarations {
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
function declarationsFor(
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
