import { useQuery } from "@tanstack/react-query";
import type { Outcome } from "../../../../../server/contract/pos/outcome.ts";
import type { SaleLine } from "../../../../../server/contract/pos/sale-lines.ts";
import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import { offerContents } from "../../../../lib/offer-title.ts";
import { saleQuery } from "../../../../lib/pos-queries.ts";
import { deliveredFirst } from "../../../../lib/sale-outcome.ts";
import { paidAtOf } from "../attempt/last-sale.ts";
import { type AttemptLine, recipientOf } from "../attempt/line-item.ts";
import type { CurrentSale } from "../basket/use-sale.ts";

export interface CustomerLine {
  readonly brand: string;
  readonly brandName: string;
  readonly brandColor: string;
  /** Empty if the customer chose the amount, which `send` then contains. */
  readonly title: string;
  readonly service?: string;
  readonly regions?: string[];
  readonly recipient: string;
  readonly country: string;
  /** Price in minor units of the shop's currency. */
  readonly price: number;
  readonly send?: number;
  readonly sendCurrency?: string;
  readonly sendCurrencyDivisor?: number;
  readonly outcome?: Outcome;
  readonly qrContent?: string;
  readonly smdpAddress?: string;
  readonly activationCode?: string;
  /** Last digits of the eSIM to which a delivered plan was added. */
  readonly addedTo?: string;
}

export interface AskedNumber {
  readonly transactionId: string;
  /** E.164. */
  readonly number: string;
  readonly formatted: string;
  readonly country: string;
  readonly brand: string;
  readonly brandName: string;
  readonly brandColor: string;
}

/** Amounts are in minor units of the shop's currency. */
export interface CustomerSide {
  readonly phase: "IDLE" | "BASKET" | "CONFIRM" | "PAID";
  readonly lines: readonly CustomerLine[];
  readonly total: number;
  /** Rounding of the cash part; undefined without rounding. */
  readonly cashRounding?: number;
  readonly tendered?: number;
  readonly change?: number;
  /** Refund for undelivered lines, owed or paid. */
  readonly moneyBack?: number;
  readonly ask?: AskedNumber;
  /** Time by the till's clock at which the view becomes idle. */
  readonly idleAt?: number;
}

const SHOWN_PAID_MS = 30_000;

const IDLE: CustomerSide = { phase: "IDLE", lines: [], total: 0 };

/**
 * Returns the sale in progress, or else the sale just paid (rules#counter-customer-display).
 * @param begun true if the clerk already serves the next customer; the previous purchase is then
 * hidden
 */
export function useCustomerSide(sale: CurrentSale, begun: boolean): CustomerSide {
  const isSelling = sale.lines.length > 0;
  const [latest] = sale.shownSales;
  // The gateway has no data of an unanswered sale.
  const isAnswered = !sale.outbox.entries.some(({ attempt }) => attempt.saleId === latest);
  const wanted = isSelling || begun || !isAnswered ? undefined : latest;
  const paid = useQuery({ ...saleQuery(wanted ?? ""), enabled: wanted !== undefined });
  if (isSelling) {
    return sideOfSelling(sale);
  }
  const paidAt = wanted === undefined ? undefined : paidAtOf(wanted);
  // The time of payment is unknown for a sale that was paid earlier or at another till.
  return paidAt !== undefined && paid.data
    ? { ...sideOfPaid(paid.data), idleAt: paidAt + SHOWN_PAID_MS }
    : IDLE;
}

/** After delivery the customer need not check the number, so only its last digits stay readable. */
function maskedOf({ outcome, recipientFormatted }: SaleLine): string {
  if (outcome !== "DELIVERED") {
    return recipientFormatted;
  }
  const legible = [...recipientFormatted].filter((sign) => /[\p{L}\p{N}]/u.test(sign)).length;
  // At least half of a short number is hidden.
  const hidden = Math.max(legible - SHOWN_AT_END, Math.ceil(legible / 2));
  let seen = 0;
  return recipientFormatted.replaceAll(/[\p{L}\p{N}]/gu, (sign) => {
    seen += 1;
    return seen <= hidden ? "•" : sign;
  });
}

const SHOWN_AT_END = 4;

function sideOfSelling({ state, lines, total, tendered, numberAsk }: CurrentSale): CustomerSide {
  const cash = tendered?.tendered ?? 0;
  return {
    phase: state.confirming ? "CONFIRM" : "BASKET",
    lines: lines.map(lineOfAttempt),
    total,
    ...(numberAsk && { ask: askOf(numberAsk.line) }),
    ...roundingOf(state.confirming ? tendered?.cashRounding : 0),
    // Tendered cash is shown only if the clerk typed an amount. Otherwise it is exact.
    ...(state.tender.text !== "" && { tendered: cash, change: tendered?.change ?? 0 }),
  };
}

function askOf({ transactionId, item }: AttemptLine): AskedNumber {
  const { number = "", formatted = number, country, brand, brandName, brandColor } = item;
  return { transactionId, number, formatted, country, brand, brandName, brandColor };
}

function lineOfAttempt({ item, discount = 0 }: AttemptLine): CustomerLine {
  const { brand, brandName, brandColor, country, price, ...rest } = item;
  const { send, sendCurrency, sendCurrencyDivisor } = rest;
  return {
    brand,
    brandName,
    brandColor,
    ...titleOf(item),
    country,
    recipient: recipientOf(item),
    price: price - discount,
    ...(send !== undefined &&
      isAmount(item) &&
      sendCurrency &&
      sendCurrencyDivisor && { send, sendCurrency, sendCurrencyDivisor }),
  };
}

function roundingOf(cashRounding = 0): Pick<CustomerSide, "cashRounding"> {
  return cashRounding === 0 ? {} : { cashRounding };
}

function sideOfPaid(sale: Sale): CustomerSide {
  const { lines, total, tenders, change, refundDue, refunded } = sale;
  const moneyBack = refundDue + refunded;
  const cash = tenders.find(({ kind }) => kind === "CASH");
  return {
    phase: "PAID",
    lines: deliveredFirst(lines).map((line) => ({
      brand: line.brand,
      brandName: line.brandName,
      brandColor: line.brandColor,
      ...titleOf(line),
      country: line.country,
      recipient: maskedOf(line),
      price: line.price - line.discount,
      ...(line.send > 0 &&
        isAmount(line) &&
        line.outcome !== "NOT_DELIVERED" && {
          send: line.send,
          sendCurrency: line.sendCurrency,
          sendCurrencyDivisor: line.sendCurrencyDivisor,
        }),
      ...(line.area && { regions: line.area.regions }),
      outcome: line.outcome,
      ...detailsOf(line),
    })),
    total,
    ...roundingOf(sale.cashRounding),
    ...(cash?.tendered !== undefined && { tendered: cash.tendered, change }),
    ...(moneyBack > 0 && { moneyBack }),
  };
}

interface Titled {
  readonly title: string;
  readonly value?: unknown;
  readonly service?: string;
}

/** A RANGE offer's title states only limits, so the chosen amount is shown instead. */
function titleOf({ title, value, service }: Titled): Pick<CustomerLine, "title" | "service"> {
  return { title: value === undefined ? title : "", ...(service && { service }) };
}

/** Returns whether the delivered amount is shown. A bundle's title states its contents instead. */
function isAmount({ title, value }: Titled): boolean {
  return value !== undefined || offerContents(title) === undefined;
}

/** A new eSIM has a QR code. An existing eSIM is named by its last digits. */
function detailsOf({ esim, iccid }: SaleLine): Partial<CustomerLine> {
  if (!esim) {
    return {};
  }
  const { qrContent, smdpAddress, activationCode } = esim;
  return iccid === undefined
    ? { qrContent, smdpAddress, activationCode }
    : { addedTo: iccid.slice(-4) };
}
