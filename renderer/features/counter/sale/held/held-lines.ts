import type { BasketLine } from "../../../../../server/contract/pos/held-sales.ts";
import {
  type AttemptLine,
  type BillItem,
  type LineItem,
  recipientOf,
  type VoucherItem,
  wantedOf,
} from "../attempt/line-item.ts";

/** As much as the gateway keeps of a text that was shown. */
const LONGEST_TEXT = 256;

/** A line as it is put aside: what is wanted, and what the clerk was shown of it. */
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
      title: title.slice(0, LONGEST_TEXT),
      ...ownOf(item),
      recipientFormatted: recipientOf(item).slice(0, LONGEST_TEXT),
      price,
      priceCurrency,
      priceCurrencyDivisor,
      ...(discount ? { discount } : {}),
      ...(send === undefined ? {} : { send }),
      ...(sendCurrency === undefined ? {} : { sendCurrency }),
      ...(sendCurrencyDivisor === undefined ? {} : { sendCurrencyDivisor }),
    },
  };
}

/** What lines of one family alone show. */
function ownOf(item: LineItem): Partial<BasketLine["shown"]> {
  switch (item.productType) {
    case "VOUCHER":
      return { fieldLabels: labelsOf(item) };
    case "BILL_PAY":
      return {
        fieldLabels: labelsOf(item),
        ...(item.service === undefined ? {} : { service: item.service }),
        ...(item.due === undefined ? {} : { due: item.due }),
      };
    case "ESIM":
      return item.area ? { area: item.area } : {};
    default:
      return {};
  }
}

function labelsOf({ fields }: VoucherItem | BillItem): string[] {
  return fields.map(({ label }) => label.slice(0, LONGEST_TEXT));
}

/** A line that was put aside, to be sold under a new id. */
export function resumedLine({ input, shown }: BasketLine, transactionId: string): AttemptLine {
  const { discount, ...rest } = shown;
  return { transactionId, item: itemOf(input, rest), ...(discount ? { discount } : {}) };
}

function itemOf(
  input: BasketLine["input"],
  shown: Omit<BasketLine["shown"], "discount">,
): LineItem {
  const { recipientFormatted, fieldLabels = [], ...head } = shown;
  const { offerId, value } = input;
  const item = { ...head, offerId, ...(value ? { value } : {}) };
  switch (input.productType) {
    case "TOPUP":
      return {
        ...item,
        productType: "TOPUP",
        number: input.recipientPhoneNumber ?? "",
        formatted: recipientFormatted,
      };
    case "ESIM":
      return {
        ...item,
        productType: "ESIM",
        place: input.iccid ? "" : recipientFormatted,
        ...(input.iccid ? { iccid: input.iccid } : {}),
      };
    case "VOUCHER":
    case "BILL_PAY": {
      const shownFields = recipientFormatted.split(" · ");
      const fields = (input.fields ?? []).map(({ key, value: text }, index) => ({
        key,
        label: fieldLabels[index] ?? wordsOf(key),
        value: text,
        shown: shownFields[index] ?? text,
      }));
      return { ...item, productType: input.productType, fields };
    }
  }
}

/** `account.number` is "Account number". */
function wordsOf(key: string): string {
  const words = key.replaceAll(/[._-]+/g, " ").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
