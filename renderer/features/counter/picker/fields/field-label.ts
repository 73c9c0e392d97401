import type { Translate } from "../../../../lib/i18n.ts";
import type { TillWords } from "../../../../locales/till-words.ts";

type FieldName = keyof TillWords["counter"]["fieldName"];

/** English names that catalogs use for the fields of many brands. */
export const CATALOG_NAMES: Readonly<Record<FieldName, string>> = {
  account: "Account number",
  bill: "Bill number",
  document: "Customer’s identity document number",
  meter: "Meter number",
  player: "Player ID",
  zone: "Zone ID",
  email: "Recipient’s e-mail address",
  firstName: "Recipient’s first name",
  lastName: "Recipient’s last name",
  mobile: "Recipient’s mobile number",
  phone: "Recipient’s phone number",
  senderFirstName: "Sender’s first name",
  subscriber: "Subscriber or decoder number",
};

const NAMES = Object.entries(CATALOG_NAMES).map(
  ([key, label]) => [fold(label), key as FieldName] as const,
);

/**
 * Translates a field's name, such as "Meter number". The brand in "KPLC meter number" is preserved.
 * A brand's own name, such as "IUC number", is not translated, because the card or device shows it.
 */
export function fieldLabel(label: string, t: Translate): string {
  const folded = fold(label);
  for (const [name, key] of NAMES) {
    if (folded === name) {
      return t(`counter.fieldName.${key}`);
    }
    if (folded.endsWith(` ${name}`)) {
      const brand = label.slice(0, -name.length - 1);
      return t("counter.fieldOfBrand", { field: t(`counter.fieldName.${key}`), brand });
    }
  }
  return label;
}

function fold(label: string): string {
  return label.replaceAll("'", "’").toLowerCase();
}
