import type { SaleLine } from "../../contract/pos/sale-lines.ts";
import type { Sale } from "../../contract/pos/sales.ts";
import type { Language } from "../../contract/pos/setup.ts";
import type { Shop } from "../shop/index.ts";
import { isPaidBill } from "./bill-proof/bill-proof-maker.ts";
import { PageFormat, placesOf, titleOfLine, wordsOf } from "./page-format.ts";

interface MailAbout {
  shop: Shop;
  sale: Sale;
  language: Language;
  /** Whether an owner lets PINs and codes stand in mails. */
  withDetails: boolean;
  /** Where the receipt is a page; without it the mail is the receipt. */
  link?: { url: string; expiresAt: number };
}

export function mailSubject({
  name,
  saleNumber,
  language,
}: {
  name: string;
  saleNumber: number;
  language: Language;
}): string {
  const words = wordsOf(language);
  return `${words.title} · ${name} · ${fill(words.sale, String(saleNumber))}`;
}

/** What a customer is written. */
export function mailText({ shop, sale, language, withDetails, link }: MailAbout): string {
  const format = new PageFormat(language, shop.timeZone);
  const { words } = format;
  const mark = sale.training ? words.training : words.test;
  const head = [
    ...(sale.training || sale.environment === "test" ? [mark, ""] : []),
    shop.name,
    ...shop.receipt.address,
    ...shop.receipt.support,
    "",
    `${fill(words.sale, String(sale.saleNumber))} · ${format.moment(sale.createdAt)}`,
    "",
  ];
  if (link) {
    const until = fill(words.keptUntil, format.moment(link.expiresAt));
    return [...head, words.mailLink, link.url, "", until].join("\n");
  }
  const lines = sale.lines.flatMap((line) => [
    ...lineText(line, { sale, format, withDetails }),
    "",
  ]);
  const total = format.amountText(sale.total + sale.cashRounding, sale);
  return [...head, ...lines, `${words.total}: ${total}`].join("\n");
}

function lineText(
  line: SaleLine,
  { sale, format, withDetails }: { sale: Sale; format: PageFormat; withDetails: boolean },
): string[] {
  const { words } = format;
  const price = format.amountText(line.price - line.discount, sale);
  const { voucher, esim } = line;
  const places = line.productType === "ESIM" ? placesOf(line, format) : [];
  const secrets = withDetails
    ? [
        ...named(words.pin, voucher?.epin),
        ...named(words.serialNumber, voucher?.serialNumber),
        ...named(words.redeemAt, voucher?.redemptionUrl),
        ...named(words.smdp, esim?.smdpAddress),
        ...named(words.activationCode, esim?.activationCode),
      ]
    : [];
  const back =
    line.outcome === "NOT_DELIVERED"
      ? [fill(line.refunded ? words.refunded : words.refundDue, price)]
      : [];
  return [
    `${line.brandName} · ${titleOfLine(line, format)} · ${price}`,
    ...(line.recipientFormatted === "" ? [] : [line.recipientFormatted]),
    ...(places.length === 0 ? [] : [fill(words.worksIn, format.list(places))]),
    ...(line.fee === undefined ? [] : feeText(line, { sale, format })),
    words[line.outcome],
    ...back,
    ...named(words.confirmation, line.confirmationNumber),
    ...secrets,
    ...(isPaidBill(line) ? [words.mailProof] : []),
    ...(line.details === "SHOWN" && !withDetails ? [words.mailNoDetails] : []),
  ];
}

/** What a bill's price is made of, so that it adds up. */
function feeText(
  { price, discount, fee = 0 }: SaleLine,
  { sale, format }: { sale: Sale; format: PageFormat },
): string[] {
  const { words } = format;
  return [
    ...named(words.amount, format.amountText(price - fee, sale)),
    ...named(words.fee, format.amountText(fee, sale)),
    ...(discount > 0 ? named(words.discount, format.amountText(-discount, sale)) : []),
  ];
}

function named(name: string, text = ""): string[] {
  return text === "" ? [] : [`${name}: ${text}`];
}

function fill(text: string, value: string): string {
  return text.replace(/\{\{\w+\}\}/, () => value);
}
