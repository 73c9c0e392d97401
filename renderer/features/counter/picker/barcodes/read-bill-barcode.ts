/**
 * Those of the sandbox, whose numbers of billers begin with the prefix that GS1 keeps for examples (952).
 * A shop's own follow from the agreements with its billers.
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

/**
 * How billers print the barcode of a bill: one entry for each form of it. A form is added here once its
 * biller has stated it, with a sample in `read-bill-barcode.test.ts`; nothing else changes
 * (docs/contribute.md#a-bill-barcode).
 */
interface BillBarcode {
  /** As the catalog names the biller. */
  readonly brand: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Of the amount on the bill. */
  readonly currency: string;
  readonly currencyDivisor: number;
  readonly form: Gs1Form | PlainForm;
}

/** GS1-128 as a payment code has it: 415, 8020, 390n, 96. The parts follow each other in this order. */
interface Gs1Form {
  readonly kind: "gs1";
  /** AI 415: the number of the biller that is paid, 13 digits. */
  readonly gln: string;
  /** How many digits AI 8020 has: many scanners send no sign at its end. */
  readonly reference: number;
  /** The account among the digits of AI 8020. */
  readonly account: Part;
  /** How many digits AI 390n has, where the bill states its amount; `n` says how many are decimals. */
  readonly amount?: number;
  /** AI 96 follows: the day on which it is due, YYYYMMDD. */
  readonly hasDueDay?: true;
}

/** Digits of one length, such as ITF or Code 128 without identifiers. */
interface PlainForm {
  readonly kind: "plain";
  readonly length: number;
  /** The digits that it begins with, which tell the biller. */
  readonly prefix: string;
  readonly account: Part;
  /** In minor units. */
  readonly amount?: Part;
  /** YYYYMMDD. */
  readonly dueDay?: Part;
}

/** Where a part begins, counted from 0, and how many digits it has. */
interface Part {
  readonly from: number;
  readonly digits: number;
}
