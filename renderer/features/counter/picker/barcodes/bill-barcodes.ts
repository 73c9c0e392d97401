/**
 * How billers print the barcode of a bill: one entry for each form of it. A form is added here once its
 * biller has stated it, with a sample in `read-bill-barcode.test.ts`; nothing else changes
 * (docs/counter.md#barcodes-of-bills).
 */
export interface BillBarcode {
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
export interface Part {
  readonly from: number;
  readonly digits: number;
}

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
