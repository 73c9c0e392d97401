import { FACE_SHAPE, faceOf } from "../../../contract/faces/face.ts";
import type { BrandFacts } from "../../../contract/pos/brand-faces.ts";
import { formatMoney, type MoneyStyle, shopLocale } from "../../../contract/pos/money-text.ts";
import type { SaleLine } from "../../../contract/pos/sale-lines.ts";
import type { Sale } from "../../../contract/pos/sales.ts";
import type { Language } from "../../../contract/pos/setup.ts";
import type { Shop } from "../../shop/shop/index.ts";
import words from "./page-words.json" with { type: "json" };

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | undefined | readonly Html[];

const SIGNS: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes values that are not `Html`. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const written = parts.map((part, index) => part + toText(values[index]));
  return new Html(written.join(""));
}

/** Escapes nothing. Only for text that the program generates, such as a style. */
export function asIs(text: string): Html {
  return new Html(text);
}

function toText(value: Value): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(({ text }) => text).join("");
  return String(value).replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);
}

export type PageWords = (typeof words)["en"];

export function getWords(language: Language): PageWords {
  return words[language];
}

const ISOLATES = /[\u2066-\u2069]/g;

/** Formats in the customer's language and the shop's time zone, as the shop's screens do. */
export class PageFormat {
  readonly words: PageWords;
  readonly #locale: string;
  readonly #currency: string;
  readonly #timeZone: string;
  readonly #canShow: (text: string) => boolean;

  constructor(
    language: Language,
    { currency, timeZone }: Pick<Shop, "currency" | "timeZone">,
    canShow: (text: string) => boolean = () => true,
  ) {
    this.words = words[language];
    this.#locale = shopLocale(language, currency);
    this.#currency = currency;
    this.#timeZone = timeZone;
    this.#canShow = canShow;
  }

  /** Isolates the value's text direction. */
  fill(text: string, value: Html | string): Html {
    const [before = "", after = ""] = text.split(/\{\{\w+\}\}/);
    return html`${before}<bdi>${value}</bdi>${after}`;
  }

  amount(minor: number, unit: Pick<Sale, "currency" | "currencyDivisor">): Html {
    return html`<bdi dir="ltr">${this.formatAmount(minor, unit)}</bdi>`;
  }

  /** Shows a foreign currency, and a currency whose symbol the fonts lack, by its code. */
  formatAmount(
    minor: number,
    { currency, currencyDivisor }: Pick<Sale, "currency" | "currencyDivisor">,
  ): string {
    const write = (style: MoneyStyle) =>
      formatMoney(minor, currency, currencyDivisor, { locale: this.#locale, style });
    const text = write(currency === this.#currency ? "symbol" : "code");
    return this.#canShow(text.replaceAll(ISOLATES, "")) ? text : write("code");
  }

  list(texts: readonly string[]): string {
    return new Intl.ListFormat(this.#locale, { type: "unit" }).format(texts);
  }

  country(code: string): string {
    return new Intl.DisplayNames(this.#locale, { type: "region" }).of(code) ?? code;
  }

  percent(value: string): string {
    const style = { style: "percent", maximumFractionDigits: 3 } as const;
    return new Intl.NumberFormat(this.#locale, style).format(Number(value) / 100);
  }

  /** Formats a timestamp. Returns other texts unchanged. */
  formatMoment(text: string): string {
    return /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text))
      ? this.momentWithZone(text)
      : text;
  }

  /** Names the time zone, because the customer may be in another time zone. */
  momentWithZone(at: string): string {
    const style = {
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "numeric",
      minute: "2-digit",
      timeZoneName: "shortOffset",
      timeZone: this.#timeZone,
    } as const;
    return new Intl.DateTimeFormat(this.#locale, style).format(new Date(at));
  }

  moment(at: string | number): string {
    const style = { dateStyle: "medium", timeStyle: "short", timeZone: this.#timeZone } as const;
    return new Intl.DateTimeFormat(this.#locale, style).format(new Date(at));
  }
}

export function listPlaces({ country, area }: Sale["lines"][number], format: PageFormat): string[] {
  const codes = (area?.countries ?? [country]).filter((code) => /^[A-Z]{2}$/.test(code));
  return codes.map((code) => format.country(code));
}

export function getLineTitle(line: Sale["lines"][number], format: PageFormat): string {
  const { value, send, sendCurrency, sendCurrencyDivisor, title, service } = line;
  const unit = { currency: sendCurrency, currencyDivisor: sendCurrencyDivisor };
  const what = value === undefined ? title : format.formatAmount(send, unit);
  return [service, what].filter(Boolean).join(" · ");
}

export type Faces = ReadonlyMap<string, Pick<BrandFacts, "glyph" | "logo">>;

/** Pictures are below the page's address, so that the visitor's browser contacts no other host. */
export const PICTURE_FILE = /^picture-([0-9a-f]{64})$/;

function pictureAddress(token: string, digest: string): string {
  return `${token}/picture-${digest}`;
}

/**
 * Fraction of the card's width that the text may fill, because a phone's font may be wider than the
 * till's font.
 */
const ROOM_FOR_OTHER_LETTERS = 0.9;

export function shopLogoHtml({ name, logo }: Shop, token: string): Html | undefined {
  if (!logo) return undefined;
  const { digest, width, height } = logo;
  return html`<img class="logo" src="${pictureAddress(token, digest)}" width="${width}" height="${height}" alt="${name}">`;
}

/** Returns a card that is decorative for screen readers: the brand's name is next to the card. */
export function brandFaceHtml(
  { brand, brandName, brandColor }: SaleLine,
  { token, faces }: { token: string; faces: Faces },
): Html | undefined {
  const { glyph: drawn, logo } = faces.get(brand) ?? {};
  if (logo !== undefined) {
    return html`<img class="face" src="${pictureAddress(token, logo)}" alt="">`;
  }
  if (brandName === "") return undefined;
  const { ground, ink, glyph, name } = faceOf({ brandName, brandColor, glyph: drawn }, "SMALL");
  const { width, height } = FACE_SHAPE;
  const from = name.isRightToLeft ? "rtl" : "ltr";
  return html`<svg class="face" viewBox="0 0 ${width} ${height}" aria-hidden="true"><rect width="${width}" height="${height}" fill="${ground}"/><path d="${glyph.path}" transform="${glyph.transform}" stroke="${ink}" stroke-width="${glyph.stroke}"/><g fill="${ink}" font-size="${ROOM_FOR_OTHER_LETTERS * name.size}" direction="${from}">${name.lines.map(
    ({ text, x, y }) => html`<text x="${x}" y="${y}">${text}</text>`,
  )}</g></svg>`;
}
