import { Problem } from "../../../contract/problem.ts";
import type { VoucherField } from "../../../contract/v1/purchase-record.ts";
import { canonicalNumber } from "../../catalog/phone-lookup/index.ts";

/**
 * The fields that name a voucher's receiver; the first one present counts (rules#purchase-buyer-fields).
 */
const VOUCHER_RECIPIENT = ["recipient.msisdn", "recipient.phoneNumber"];
/**
 * The fields by which a biller identifies the payer; the first one present counts
 * (rules#purchase-buyer-fields).
 */
const BILL_ACCOUNT = ["accountNumber", "billIdentifier"];

/**
 * Checks that every required field is present once, and not empty. Other fields are allowed: they
 * are stored and passed to the provider (rules#purchase-buyer-fields).
 * @throws Problem REQUIRED_FIELD_MISSING or INVALID_REQUEST, naming each invalid field
 */
export function checkBuyerFields(required: readonly string[], given: VoucherField[]): void {
  const seen = new Set<string>();
  for (const [index, { key }] of given.entries()) {
    if (seen.has(key)) {
      throw new Problem("INVALID_REQUEST", `The field ${key} is given twice.`, {
        [`fields.${index}.key`]: "is given already",
      });
    }
    seen.add(key);
  }
  const filled = new Set(given.filter(({ value }) => value.trim() !== "").map(({ key }) => key));
  const missing = required.filter((name) => !filled.has(name));
  if (missing.length > 0) {
    throw new Problem(
      "REQUIRED_FIELD_MISSING",
      `This offer needs the fields ${missing.join(", ")}.`,
      Object.fromEntries(missing.map((name) => [name, "is required"])),
    );
  }
}

/**
 * Returns the fields with the receiver's number in its canonical form
 * (rules#topup-canonical-number).
 */
export function withCanonicalNumbers(fields: readonly VoucherField[]): VoucherField[] {
  return fields.map((field) =>
    VOUCHER_RECIPIENT.includes(field.key)
      ? { ...field, value: canonicalNumber(field.value) }
      : field,
  );
}

/** Returns a voucher's receiver; empty if no field names one. */
export function recipientOf(fields: VoucherField[]): string {
  return firstOf(fields, VOUCHER_RECIPIENT) ?? "";
}

/**
 * Returns the account that a bill payment is for: the first field if none is named as an account.
 */
export function billAccountOf(fields: VoucherField[]): string {
  return firstOf(fields, BILL_ACCOUNT) ?? fields[0]?.value ?? "";
}

function firstOf(fields: VoucherField[], names: string[]): string | undefined {
  for (const name of names) {
    const field = fields.find(({ key }) => key === name);
    if (field) return field.value;
  }
  return undefined;
}
