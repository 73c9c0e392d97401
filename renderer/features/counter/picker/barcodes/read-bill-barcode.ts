/**
 * Barcode forms of the sandbox's billers. Their numbers start with 952, the prefix that GS1
 * reserves for examples. A shop adds the forms of its own billers.
 */
export const BILL_BARCODES: readonly BillBarcode[] = [
  {
    brand: "EEGSA",
    country: "GT",
    currency: "GTQ",
    currencyDivisor: 100,
    form: {
      kind: "gs1",
      gln: "9520000000011",
      reference: 11,
      account: { from: 0, digits: 11 },
      amount: 10,
      hasDueDay: true,
    },
  },
  {
    brand: "EMPAGUA",
    country: "GT",
    currency: "GTQ",
    currencyDivisor: 100,
    form: {
      kind: "plain",
      length: 30,
      prefix: "9521",
      account: { from: 4, digits: 8 },
      amount: { from: 12, digits: 10 },
      dueDay: { from: 22, digits: 8 },
    },
  },
  {
    brand: "EPM",
    country: "CO",
    currency: "COP",
    currencyDivisor: 100,
    form: {
      kind: "gs1",
      gln: "9520000000028",
      reference: 12,
      account: { from: 2, digits: 10 },
      amount: 10,
    },
  },
];

/** Data in a bill's barcode. The till still queries the biller for the amount due. */
export interface StatedBill {
  readonly brand: string;
  readonly country: string;
  readonly account: string;
  /** Minor units. Undefined if the barcode contains no readable amount. */
  readonly amount?: number;
  readonly currency: string;
  readonly currencyDivisor: number;
  /** YYYY-MM-DD. */
  readonly dueDay?: string;
}

/** Drops separators such as FNC1. Returns undefined if the text contains other characters. */
function barcodeDigits(text: string): string | undefined {
  const digits = text
    .trim()
    .replace(/^\]?[CcIi]1/, "")
    .replaceAll(/[()\s\p{Cc}]/gu, "");
  return /^\d+$/.test(digits) ? digits : undefined;
}

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

/** Returns whether the text starts with AI 415 (with a valid check digit) and AI 8020. */
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
  /** Number of decimals. Undefined if the digits are minor units. */
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

/** Returns minor units; undefined for zero, or if the currency has fewer decimals. */
function minorOf(digits: string, decimals: number | undefined, divisor: number) {
  const minor =
    decimals === undefined ? Number(digits) : (Number(digits) * divisor) / 10 ** decimals;
  return Number.isSafeInteger(minor) && minor > 0 ? minor : undefined;
}

/** Returns YYYY-MM-DD; undefined if the calendar has no such day. */
function dayOf(digits: string): string | undefined {
  const day = digits.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3");
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : undefined;
}

/** The last digit is the check digit. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/**
 * Form of a biller's barcode. Add a form after its biller has confirmed it, with a sample in
 * `read-bill-barcode.test.ts` (docs/contribute.md#a-bill-barcode).
 */
interface BillBarcode {
  readonly brand: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly currency: string;
  readonly currencyDivisor: number;
  readonly form: Gs1Form | PlainForm;
}

/** GS1-128 payment code with AI 415, 8020, 390n and 96, in this order. */
interface Gs1Form {
  readonly kind: "gs1";
  /** AI 415, number of the biller: 13 digits. */
  readonly gln: string;
  /** Number of digits of AI 8020. Fixed, because many scanners send no separator after AI 8020. */
  readonly reference: number;
  readonly account: Part;
  /**
   * Number of digits of AI 390n, if the barcode contains an amount. `n` is the amount's number of
   * decimals.
   */
  readonly amount?: number;
  /** True if AI 96 (due date, YYYYMMDD) follows. */
  readonly hasDueDay?: true;
}

/** Barcode of a fixed length without application identifiers, such as ITF or Code 128. */
interface PlainForm {
  readonly kind: "plain";
  readonly length: number;
  /** First digits, by which the biller is recognised. */
  readonly prefix: string;
  readonly account: Part;
  /** Minor units. */
  readonly amount?: Part;
  /** YYYYMMDD. */
  readonly dueDay?: Part;
}

/** `from` is counted from 0. */
interface Part {
  readonly from: number;
  readonly digits: number;
}
