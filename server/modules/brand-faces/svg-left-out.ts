import type { LeftOutKind, LeftOutPart } from "../../contract/pos/brand-faces.ts";

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
export class LeftOut {
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
