import { BILL_BARCODES, type BillBarcode, type Part } from "./bill-barcodes.ts";

/** What the barcode of a bill states. The biller still says what is due. */
export interface StatedBill {
  /** As the catalog names the biller. */
  readonly brand: string;
  readonly country: string;
  readonly account: string;
  /** Minor units; absent where the barcode holds none, or none that can be read. */
  readonly amount?: number;
  readonly currency: string;
  readonly currencyDivisor: number;
  /** YYYY-MM-DD. */
  readonly dueDay?: string;
}

/** What a scanner wrote of a barcode, without the signs that frame its parts, such as FNC1. */
function barcodeDigits(text: string): string | undefined {
  const digits = text
    .trim()
    .replace(/^\]?[CcIi]1/, "")
    .replaceAll(/[()\s\p{Cc}]/gu, "");
  return /^\d+$/.test(digits) ? digits : undefined;
}

/** The bill that a barcode is of, where its biller's form of it is known. */
export function readBillBarcode(
  text: string,
  forms: readonly BillBarcode[] = BILL_BARCODES,
): StatedBill | undefined {
  const digits = barcodeDigits(text);
  if (digits === undefined) {
    return undefined;
  }
  for (const form of forms) {
    const read = readAs(form, digits);
    if (read) {
      return read;
    }
  }
  return undefined;
}

/** Whether it is the code of a payment code, of whatever biller: AI 415 with its check digit, then 8020. */
export function isPaymentCode(text: string): boolean {
  const gln = /^415(?<gln>\d{13})8020\d/.exec(barcodeDigits(text) ?? "")?.groups?.gln;
  return gln !== undefined && hasCheckDigit(gln);
}

function readAs(barcode: BillBarcode, digits: string): StatedBill | undefined {
  const { brand, country, currency, currencyDivisor, form } = barcode;
  const parts = form.kind === "gs1" ? gs1Parts(form, digits) : plainParts(form, digits);
  if (!parts) {
    return undefined;
  }
  const { account, amount, decimals, dueDay } = parts;
  const minor = amount && minorOf(amount, decimals, currencyDivisor);
  const day = dueDay && dayOf(dueDay);
  return {
    brand,
    country,
    account,
    ...(minor && { amount: minor }),
    currency,
    currencyDivisor,
    ...(day && { dueDay: day }),
  };
}

interface Contents {
  readonly account: string;
  readonly amount?: string | undefined;
  /** How many digits of the amount are behind its point; minor units where absent. */
  readonly decimals?: number | undefined;
  readonly dueDay?: string | undefined;
}

function gs1Parts(
  form: Extract<BillBarcode["form"], { kind: "gs1" }>,
  digits: string,
): Contents | undefined {
  const amount =
    form.amount === undefined ? "" : `390(?<decimals>\\d)(?<amount>\\d{${form.amount}})`;
  const due = form.hasDueDay ? "96(?<due>\\d{8})" : "";
  const reference = `8020(?<reference>\\d{${form.reference}})`;
  const found = new RegExp(`^415${form.gln}${reference}${amount}${due}$`).exec(digits)?.groups;
  return (
    found && {
      account: partOf(found.reference ?? "", form.account),
      amount: found.amount,
      decimals: found.decimals === undefined ? undefined : Number(found.decimals),
      dueDay: found.due,
    }
  );
}

function plainParts(
  form: Extract<BillBarcode["form"], { kind: "plain" }>,
  digits: string,
): Contents | undefined {
  return digits.length === form.length && digits.startsWith(form.prefix)
    ? {
        account: partOf(digits, form.account),
        amount: form.amount && partOf(digits, form.amount),
        dueDay: form.dueDay && partOf(digits, form.dueDay),
      }
    : undefined;
}

function partOf(digits: string, { from, digits: length }: Part): string {
  return digits.slice(from, from + length);
}

/** Nothing where it is finer than the currency is, or none. */
function minorOf(digits: string, decimals: number | undefined, divisor: number) {
  const minor =
    decimals === undefined ? Number(digits) : (Number(digits) * divisor) / 10 ** decimals;
  return Number.isSafeInteger(minor) && minor > 0 ? minor : undefined;
}

/** Nothing where there is no such day. */
function dayOf(digits: string): string | undefined {
  const day = digits.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3");
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : undefined;
}

/** The last digit of a GS1 number checks the others. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
