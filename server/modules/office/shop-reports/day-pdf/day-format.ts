import {
  formatMoney,
  type MoneyStyle,
  shopLocale,
  trueMinus,
} from "../../../../contract/pos/money-text.ts";
import { directionOf, type Language } from "../../../../contract/pos/setup.ts";
import type { ZReport } from "../../../../contract/pos/shifts.ts";
import type { Scope } from "../../../../db/changes.ts";
import type { Db } from "../../../../db/database.ts";
import type { Unit } from "../../../../lib/money.ts";
import type { Logo } from "../../../../lib/pdf/logo.ts";
import { IsolatedText } from "../../../../lib/pdf/visual-text.ts";
import { listOpenShifts, readZReportsClosed } from "../../../selling/shifts/index.ts";
import { findLogoPicture, findShop, type Shop } from "../../../shop/shop/index.ts";
import { staffNames } from "../../../shop/staff/index.ts";
import { type DayFigures, readDayFigures } from "../../figures/index.ts";
import words from "./day-words.json" with { type: "json" };

export type DayWords = (typeof words)["en"];

const ISOLATES = /[\u2066-\u2069]/g;

/** Formats in the report's language and the shop's time zone, as the shop's screens do. */
export class DayFormat {
  readonly words: DayWords;
  readonly direction: "ltr" | "rtl";
  readonly #texts: IsolatedText;
  readonly #locale: string;
  readonly #currency: string;
  readonly #timeZone: string;
  readonly #canShow: (text: string) => boolean;

  constructor(
    language: Language,
    { currency, timeZone }: { currency: string; timeZone: string },
    canShow: (text: string) => boolean,
  ) {
    this.words = words[language];
    this.direction = directionOf(language);
    this.#texts = new IsolatedText(this.direction);
    this.#locale = shopLocale(language, currency);
    this.#currency = currency;
    this.#timeZone = timeZone;
    this.#canShow = canShow;
  }

  /** Fills in values, and isolates each value from the text direction around it. */
  fill(text: string, values: Readonly<Record<string, string>>): string {
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => this.isolate(values[name] ?? ""));
  }

  named(name: string, value: string): string {
    return this.fill(this.words.document.named, { name, value });
  }

  isolate(text: string): string {
    return this.#texts.text(text);
  }

  /** Shows a foreign currency, and a currency whose symbol the fonts lack, by its code. */
  money(minor: number, { currency, currencyDivisor }: Unit): string {
    const write = (style: MoneyStyle) =>
      formatMoney(minor, currency, currencyDivisor, { locale: this.#locale, style });
    const text = write(currency === this.#currency ? "symbol" : "code");
    return this.#canShow(text.replaceAll(ISOLATES, "")) ? text : write("code");
  }

  number(value: number): string {
    return this.#isolateNumber(new Intl.NumberFormat(this.#locale).format(value));
  }

  percent(value: number, digits = 2): string {
    const style = { style: "percent", maximumFractionDigits: digits } as const;
    return this.#isolateNumber(new Intl.NumberFormat(this.#locale, style).format(value / 100));
  }

  day(date: string): string {
    return this.#formatDate(Date.parse(`${date}T00:00:00Z`), {
      dateStyle: "full",
      timeZone: "UTC",
    });
  }

  moment(at: string | number): string {
    return this.#formatDate(at, {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: this.#timeZone,
    });
  }

  /** Omits the year, which the document states elsewhere. */
  dayTime(at: string | number): string {
    const style = { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" } as const;
    return this.#formatDate(at, { ...style, timeZone: this.#timeZone });
  }

  #formatDate(at: string | number, style: Intl.DateTimeFormatOptions): string {
    return this.isolate(new Intl.DateTimeFormat(this.#locale, style).format(new Date(at)));
  }

  #isolateNumber(text: string): string {
    return this.#texts.number(trueMinus(text));
  }
}

export interface DaySource {
  shop: Shop;
  figures: DayFigures;
  ended: ZReport[];
  /** Open shifts that started before the end of the day. */
  stillOpen: { name: string; openedAt: number }[];
  logo: Logo | undefined;
}

interface DayRequest {
  scope: Scope;
  day: string;
  now: number;
  brandNames: ReadonlyMap<string, { brandName: string }>;
}

/** @throws UnsoundSums for damaged sums, which only a thread with write access can recount */
export async function readDaySource(
  snapshot: Db,
  { scope, day, now, brandNames }: DayRequest,
): Promise<DaySource> {
  const { accountId } = scope;
  const shop = await findShop(snapshot, accountId);
  if (!shop) throw new Error(`account ${accountId} has no shop`);
  const figures = await readDayFigures({ snapshot, shop, now, brandNames }, scope, day);
  const { from, until } = figures.money.period;
  const span = { from: Date.parse(from), until: Date.parse(until) };
  const open = (await listOpenShifts(snapshot, scope)).filter(
    ({ opened_at }) => opened_at < span.until,
  );
  const names = await staffNames(
    snapshot,
    accountId,
    open.map(({ staff_id }) => staff_id),
  );
  return {
    shop,
    figures,
    ended: await readZReportsClosed(snapshot, scope, span),
    stillOpen: open.map(({ staff_id, opened_at }) => ({
      name: names.get(staff_id) ?? "",
      openedAt: opened_at,
    })),
    logo: await findLogoPicture(snapshot, accountId),
  };
}
