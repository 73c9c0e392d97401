import { Problem } from "../../contract/problem.ts";
import type { VoucherField } from "../../contract/v1/purchases.ts";

/** Which of the fields names the receiver, first found (decisions §6). */
const RECIPIENT_FIELDS = ["recipient.msisdn", "recipient.phoneNumber"];

/**
 * Checks that every required field is given once, and not empty.
 * @throws Problem REQUIRED_FIELD_MISSING or INVALID_REQUEST, naming each field at fault
 */
export function checkVoucherFields(required: readonly string[], given: VoucherField[]): void {
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

/** Who receives a voucher; empty where no field says so. */
export function recipientOf(fields: VoucherField[]): string {
  for (const name of RECIPIENT_FIELDS) {
    const field = fields.find(({ key }) => key === name);
    if (field) return field.value;
  }
  return "";
}
