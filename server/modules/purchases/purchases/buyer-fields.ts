import { Problem } from "../../../contract/problem.ts";
import type { VoucherField } from "../../../contract/v1/purchase-record.ts";
import { canonicalNumber } from "../../catalog/phone-lookup/index.ts";

/** The first present field is the voucher's receiver (rules#purchase-buyer-fields). */
const VOUCHER_RECIPIENT = ["recipient.msisdn", "recipient.phoneNumber"];
/** The first present field identifies the payer (rules#purchase-buyer-fields). */
const BILL_ACCOUNT = ["accountNumber", "billIdentifier"];

/**
 * Every required field must be present exactly once, and must not be empty. Other fields are stored
 * and passed to the provider (rules#purchase-buyer-fields).
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

/** rules#topup-canonical-number */
export function withCanonicalNumbers(fields: readonly VoucherField[]): VoucherField[] {
  return fields.map((field) =>
    VOUCHER_RECIPIENT.includes(field.key)
      ? { ...field, value: canonicalNumber(field.value) }
      : field,
  );
}

/** Returns the voucher's receiver; empty if no field names a receiver. */
export function recipientOf(fields: VoucherField[]): string {
  return firstOf(fields, VOUCHER_RECIPIENT) ?? "";
}

/**
 * Returns the value of the account field, or the first field's value if there is no account field.
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
