import { FAMILY_FACTS } from "../../../../../server/contract/pos/families.ts";
import type { BasketLine } from "../../../../../server/contract/pos/held-sales.ts";
import { type AttemptLine, type LineItem, recipientOf, wantedOf } from "../attempt/line-item.ts";

/** Maximum length of a text that the gateway stores for display. */
const MAX_TEXT_LENGTH = 256;

export function heldLine({ item, discount }: AttemptLine): BasketLine {
  const { brand, brandName, brandColor, country, title, price } = item;
  const { priceCurrency, priceCurrencyDivisor, send, sendCurrency, sendCurrencyDivisor } = item;
  return {
    input: wantedOf(item),
    shown: {
      brand,
      brandName,
      brandColor,
      country,
      title: title.slice(0, MAX_TEXT_LENGTH),
      ...ownOf(item),
      recipientFormatted: recipientOf(item).slice(0, MAX_TEXT_LENGTH),
      price,
      priceCurrency,
      priceCurrencyDivisor,
      ...(discount && { discount }),
      ...(send !== undefined && { send }),
      ...(sendCurrency !== undefined && { sendCurrency }),
      ...(sendCurrencyDivisor !== undefined && { sendCurrencyDivisor }),
    },
  };
}

function ownOf({ fields, service, due, priceFee, area }: LineItem): Partial<BasketLine["shown"]> {
  return {
    ...(fields && { fieldLabels: fields.map(({ label }) => label.slice(0, MAX_TEXT_LENGTH)) }),
    ...(service !== undefined && { service }),
    ...(due !== undefined && { due }),
    ...(priceFee !== undefined && { priceFee }),
    ...(area && { area }),
  };
}

export function resumedLine({ input, shown }: BasketLine, transactionId: string): AttemptLine {
  const { discount, ...rest } = shown;
  return { transactionId, item: itemOf(input, rest), ...(discount && { discount }) };
}

function itemOf(
  input: BasketLine["input"],
  shown: Omit<BasketLine["shown"], "discount">,
): LineItem {
  const { recipientFormatted, fieldLabels = [], ...head } = shown;
  const { productType, offerId, value } = input;
  return {
    ...head,
    productType,
    offerId,
    ...(value && { value }),
    ...recipientItem(input, recipientFormatted, fieldLabels),
  };
}

function recipientItem(
  { productType, recipientPhoneNumber: number = "", iccid, fields = [] }: BasketLine["input"],
  formatted: string,
  labels: readonly string[],
): Pick<LineItem, "number" | "formatted" | "place" | "iccid" | "fields"> {
  switch (FAMILY_FACTS[productType].recipientKind) {
    case "number":
      return { number, formatted };
    case "esim":
      return iccid ? { place: "", iccid } : { place: formatted };
    case "fields": {
      const shown = formatted.split(" · ");
      return {
        fields: fields.map(({ key, value }, index) => ({
          key,
          label: labels[index] ?? wordsOf(key),
          value,
          shown: shown[index] ?? value,
        })),
      };
    }
  }
}

/** Turns a key into a label: `account.number` becomes "Account number". */
function wordsOf(key: string): string {
  const words = key.replaceAll(/[._-]+/g, " ").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
