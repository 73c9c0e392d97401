import { describe, expect, it } from "vitest";
import { BILL_BARCODES, isPaymentCode, readBillBarcode } from "./read-bill-barcode.ts";

const PAYMENT = "(415)9520000000011(8020)30001234567(3902)0000012550(96)20261215";
const EEGSA = {
  brand: "EEGSA",
  country: "GT",
  account: "30001234567",
  amount: 12_550,
  currency: "GTQ",
  currencyDivisor: 100,
  dueDay: "2026-12-15",
};

describe("bill barcode reader", () => {
  it.each([
    ["as it is printed", PAYMENT],
    ["as most scanners send it", PAYMENT.replaceAll(/[()]/g, "")],
    ["with the symbology in front", `]C1${PAYMENT.replaceAll(/[()]/g, "")}`],
    [
      "with FNC1 between its parts",
      "]C14159520000000011802030001234567\u001d39020000012550\u001d9620261215",
    ],
  ])("reads biller, account, amount and due date of a code %s", (_, text) => {
    expect(readBillBarcode(text)).toEqual(EEGSA);
  });

  it("reads a code without identifiers by its length and prefix", () => {
    expect(readBillBarcode("952188123456000000457520270131")).toEqual({
      ...EEGSA,
      brand: "EMPAGUA",
      account: "88123456",
      amount: 4575,
      dueDay: "2027-01-31",
    });
  });

  it("extracts the account from a longer reference, and reads an amount in whole units", () => {
    expect(readBillBarcode("4159520000000028802007123456789039000000150000")).toEqual({
      brand: "EPM",
      country: "CO",
      account: "1234567890",
      amount: 15_000_000,
      currency: "COP",
      currencyDivisor: 100,
    });
  });

  it("ignores an amount of zero and a date that does not exist", () => {
    const odd = PAYMENT.replace("0000012550", "0000000000").replace("20261215", "20261340");
    const { amount: _, dueDay: __, ...rest } = EEGSA;
    expect(readBillBarcode(odd)).toEqual(rest);
  });

  it.each([
    ["a code with a missing digit", PAYMENT.slice(0, -1)],
    ["a code with an additional digit", `${PAYMENT}0`],
    ["a code of another biller", PAYMENT.replace("9520000000011", "9520000000035")],
    ["a code with letters", PAYMENT.replace("3000", "3OOO")],
    ["a phone number", "+50251234567"],
    ["the ICCID of an eSIM", "8950210000000000017"],
    ["an empty text", ""],
  ])("rejects %s", (_, text) => {
    expect(readBillBarcode(text)).toBeUndefined();
  });

  it("recognises the payment code of an unknown biller", () => {
    expect(isPaymentCode(PAYMENT.replace("9520000000011", "9520000000035"))).toBe(true);
    expect(isPaymentCode(PAYMENT.replace("9520000000011", "9520000000012"))).toBe(false);
    expect(isPaymentCode("12345678901234567890")).toBe(false);
  });
});

it("matches each code to at most one barcode form", () => {
  const heads = BILL_BARCODES.map(({ form }) =>
    form.kind === "gs1" ? `415${form.gln}` : `${form.length} ${form.prefix}`,
  );
  expect(new Set(heads).size).toBe(heads.length);
  for (const { form } of BILL_BARCODES) {
    const length = form.kind === "gs1" ? form.reference : form.length;
    expect(form.account.from + form.account.digits).toBeLessThanOrEqual(length);
    // A shorter code would be read as a phone number.
    expect(form.kind === "gs1" || form.length > 15).toBe(true);
  }
});
