import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/max";
import type { Order } from "../../../providers/provider.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { PhoneDescription, PhoneService } from "../../catalog/phone-lookup/index.ts";

interface SandboxRecipientDeps {
  catalog: CatalogService;
  phones: PhoneService;
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;
const PHONE_FIELD = /(?:msisdn|phone_?number|mobile)$/i;
const EMAIL_FIELD = /e-?mail/i;
/** Mask characters that stand for any character of a kind. */
const MASK_KINDS: Readonly<Record<string, RegExp>> = {
  "9": /\d/,
  a: /\p{L}/u,
  "*": /[\p{L}\p{N}]/u,
};

/** Maximum number of remembered recipients, which retries check again. */
const MAX_REMEMBERED = 5_000;

/** Returns `findRecipientFault`, which remembers the recipients of top-ups. */
export function createRecipientCheck(deps: SandboxRecipientDeps) {
  const faults = new Map<string, string | undefined>();
  return async (order: Order): Promise<string | undefined> => {
    const { offer, recipient, environment } = order;
    if (offer.productType !== "TOPUP") return findRecipientFault(deps, order);
    const key = `${environment} ${offer.country} ${recipient}`;
    if (faults.has(key)) return faults.get(key);
    const fault = await findRecipientFault(deps, order);
    if (faults.size >= MAX_REMEMBERED) faults.clear();
    faults.set(key, fault);
    return fault;
  };
}

/**
 * Returns the reason why a provider would refuse the recipient (rules#simulator-recipient);
 * undefined for a valid recipient.
 */
async function findRecipientFault(
  { catalog, phones }: SandboxRecipientDeps,
  order: Order,
): Promise<string | undefined> {
  const { offer, recipient, extras, accountId, environment } = order;
  if (offer.productType === "TOPUP") {
    return whyNotTopup(offer, phones.describe(recipient, environment));
  }
  const snapshot = await catalog.getSnapshot({ accountId, environment });
  const brand = snapshot.brands.get(offer.brand);
  const isBill = offer.productType === "BILL_PAY";
  for (const { key, value } of extras.fields ?? []) {
    const mask = brand?.inputMasks.find((one) => one.requiredField === key)?.inputMask ?? "";
    const fault = whyNotField(key, value, { mask, isBill, phones, environment });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Ignores the carrier, because numbers can be ported. */
function whyNotTopup(
  offer: Pick<Order["offer"], "country">,
  { number, valid, mobile, country }: PhoneDescription,
): string | undefined {
  if (!valid) return `${number} is not a phone number.`;
  if (!mobile) return `${number} is a fixed line.`;
  if (!isSameCountry(country, offer.country)) {
    return `${number} is a number of ${country || "no country"}, the offer is for ${offer.country}.`;
  }
  return undefined;
}

/**
 * Territories share the calling code and the carriers of their country, except in North America and
 * Russia.
 */
function isSameCountry(one: string, other: string): boolean {
  if (one === other) return true;
  if (!isSupportedCountry(one) || !isSupportedCountry(other)) return false;
  const code = getCountryCallingCode(one);
  return code !== "1" && code !== "7" && code === getCountryCallingCode(other);
}

interface FieldRules {
  mask: string;
  isBill: boolean;
  phones: PhoneService;
  environment: Order["environment"];
}

function whyNotField(key: string, value: string, rules: FieldRules): string | undefined {
  const { mask, isBill, phones, environment } = rules;
  if (value.trim() === "") return undefined;
  if (EMAIL_FIELD.test(key)) return EMAIL.test(value) ? undefined : `${key} is no e-mail address.`;
  if (PHONE_FIELD.test(key)) {
    return phones.describe(value, environment).valid ? undefined : `${key} is no phone number.`;
  }
  // Some billers have accounts shorter than the mask (rules#bill-account-mask).
  const isShort = value.length < mask.length;
  if (mask === "" || fitsMask(value, mask, { isShortAllowed: isBill && isShort })) return undefined;
  return `${key} is not written as ${mask}.`;
}

function fitsMask(value: string, mask: string, { isShortAllowed = false }): boolean {
  if (value.length !== mask.length && !isShortAllowed) return false;
  return [...value].every((character, place) => {
    const maskCharacter = mask[place] ?? "";
    return MASK_KINDS[maskCharacter]?.test(character) ?? character === maskCharacter;
  });
}
