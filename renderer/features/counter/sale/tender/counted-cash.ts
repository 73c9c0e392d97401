import { amountText } from "../../../../lib/amount-text.ts";
import { fractionDigits, parseAmount } from "../../../../lib/money.ts";

/** Common banknotes in major units. Other currencies use steps of 1, 2 and 5. */
const BANKNOTES: Readonly<Record<string, readonly number[]>> = {
  USD: [1, 5, 10, 20, 50, 100],
  CAD: [5, 10, 20, 50, 100],
  EUR: [5, 10, 20, 50, 100],
  GBP: [5, 10, 20, 50],
  GTQ: [5, 10, 20, 50, 100, 200],
  HNL: [5, 10, 20, 50, 100, 200, 500],
  NIO: [10, 20, 50, 100, 200, 500, 1000],
  CRC: [1000, 2000, 5000, 10_000, 20_000],
  MXN: [20, 50, 100, 200, 500, 1000],
  DOP: [50, 100, 200, 500, 1000, 2000],
  COP: [2000, 5000, 10_000, 20_000, 50_000, 100_000],
  PEN: [10, 20, 50, 100, 200],
  BRL: [2, 5, 10, 20, 50, 100, 200],
  EGP: [5, 10, 20, 50, 100, 200],
  AED: [5, 10, 20, 50, 100, 200, 500, 1000],
  INR: [10, 20, 50, 100, 200, 500],
  PHP: [20, 50, 100, 200, 500, 1000],
  NGN: [50, 100, 200, 500, 1000],
  KES: [50, 100, 200, 500, 1000],
  XOF: [500, 1000, 2000, 5000, 10_000],
  XAF: [500, 1000, 2000, 5000, 10_000],
  HTG: [25, 50, 100, 250, 500, 1000],
  JMD: [50, 100, 500, 1000, 2000, 5000],
  JPY: [1000, 2000, 5000, 10_000],
};

const MAX_NOTES = 3;
const MAX_SINGLE_NOTES = 2;

/**
 * Proposes cash in minor units, smallest first: the smallest single notes that cover the total, and
 * the nearest multiples of one note.
 */
export function quickNotes(total: number, currency: string, divisor: number): number[] {
  if (total <= 0) {
    return [];
  }
  const notes = (BANKNOTES[currency] ?? seriesAround(total / divisor)).map(
    (note) => note * divisor,
  );
  const sums = notes.map((note) => Math.ceil(total / note) * note).filter((sum) => sum > total);
  const above = [...new Set(sums)].sort((a, b) => a - b);
  const single = above.filter((sum) => notes.includes(sum)).slice(0, MAX_SINGLE_NOTES);
  const others = above.filter((sum) => !single.includes(sum));
  const closest = others.slice(0, MAX_NOTES - single.length);
  return [...closest, ...single].sort((a, b) => a - b);
}

/** Returns 1, 2 and 5 times the powers of ten around an amount. */
function seriesAround(major: number): number[] {
  const top = Math.ceil(Math.log10(Math.max(1, major)));
  const powers = [top - 1, top].filter((power) => power >= 0).map((power) => 10 ** power);
  return powers.flatMap((power) => [power, 2 * power, 5 * power]);
}

export interface Cash {
  /** Undefined if the typed text is no amount. */
  readonly tendered: number | undefined;
  readonly change: number;
  readonly missing: number;
  /**
   * True if the amount is so high that another number must have been typed
   * (rules#counter-cash-plausible).
   */
  readonly isAbsurd: boolean;
  readonly isEnough: boolean;
}

/** Calculates the change or the missing cash. An empty text means the exact amount. */
export function countCash(text: string, total: number, currency: string, divisor: number): Cash {
  const tendered = text === "" ? total : parseAmount(text, divisor);
  const received = tendered ?? 0;
  const missing = Math.max(0, total - received);
  const isAbsurd = isAbsurdCash(received, total, currency, divisor);
  return {
    tendered,
    change: Math.max(0, received - total),
    missing,
    isAbsurd,
    isEnough: tendered !== undefined && missing === 0 && !isAbsurd,
  };
}

const ABSURD_TIMES = 100;
/**
 * Assumed ratio of the largest note to the largest proposed amount, for currencies without listed
 * notes.
 */
const UNLISTED_TIMES = 10;

/**
 * Returns whether an amount can only be a mistake, such as a phone number typed as cash. It exceeds
 * both a hundred times the price and the value of the fewest largest notes that cover the price.
 */
export function isAbsurdCash(
  received: number,
  total: number,
  currency: string,
  divisor: number,
): boolean {
  const listed = BANKNOTES[currency];
  const largest = listed
    ? Math.max(...listed)
    : Math.max(...seriesAround(total / divisor)) * UNLISTED_TIMES;
  const note = largest * divisor;
  return received > total * ABSURD_TIMES && received > Math.max(1, Math.ceil(total / note)) * note;
}

/** Returns the text for the cash field; empty for the exact amount. */
export function noteText(note: number | undefined, total: number, divisor: number): string {
  return note === undefined || note === total
    ? ""
    : amountText((note / divisor).toFixed(fractionDigits(divisor)), fractionDigits(divisor));
}
