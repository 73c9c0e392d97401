import { buffer } from "node:stream/consumers";
import type { SaleLine } from "../../../../contract/pos/sale-lines.ts";
import type { Sale } from "../../../../contract/pos/sales.ts";
import { directionOf, type Language } from "../../../../contract/pos/setup.ts";
import { Layout, type TableRow } from "../../../../lib/pdf/layout.ts";
import { drawLogo, LOGO, type Logo } from "../../../../lib/pdf/logo.ts";
import { INNER_WIDTH, Sheet } from "../../../../lib/pdf/sheet.ts";
import { readTypeface } from "../../../../lib/pdf/typeface.ts";
import { IsolatedText, showable } from "../../../../lib/pdf/visual-text.ts";
import { PageFormat } from "../page-format.ts";

/** Plain data that can be passed to another thread. */
export interface BillProofOrder {
  resourcesDir: string;
  language: Language;
  timeZone: string;
  now: number;
  shop: { name: string; lines: readonly string[] };
  logo: Logo | undefined;
  sale: Pick<
    Sale,
    "saleNumber" | "environment" | "training" | "staff" | "currency" | "currencyDivisor"
  >;
  line: SaleLine;
}

const SOFT = { size: 8.5, color: "#4b5563" } as const;
const COLUMNS = [
  { head: "", share: 0.32 },
  { head: "", share: 0.68 },
] as const;

/** Draws one page about a payment to an account of a biller (rules#receipt-bill-proof). */
export async function drawBillProof(order: BillProofOrder): Promise<Uint8Array> {
  const { language, timeZone, now, shop, sale } = order;
  const typeface = await readTypeface(order.resourcesDir);
  const canShow = (text: string) => showable(text, typeface.regular) === text.normalize("NFC");
  const format = new PageFormat(language, { currency: sale.currency, timeZone }, canShow);
  const direction = directionOf(language);
  const texts = new IsolatedText(direction);
  const { words } = format;
  const sheet = new Sheet(typeface, direction, {
    title: `${words.proof} · ${order.line.brandName} · ${shop.name}`,
    author: shop.name,
    language,
    madeAt: new Date(now),
  });
  const mark = getMark(sale, format);
  const fill = (text: string, ...values: readonly string[]) => {
    let next = 0;
    return text.replaceAll(/\{\{\w+\}\}/g, () => texts.text(values[next++] ?? ""));
  };
  const layout = new Layout(sheet, {
    ...(mark !== undefined && { stamp: mark }),
    running: texts.text(words.proof),
    foot: [fill(words.proofMade, format.moment(now)), fill(words.zone, timeZone)].join(" · "),
    pageOf: (number, count) => fill(words.page, String(number), String(count)),
  });
  drawHead(layout, sheet, order, texts);
  layout.lines(words.proof, { size: 14, weight: "bold" });
  const heading = fill(words.sale, String(sale.saleNumber));
  layout.part({ kind: "TABLE", heading, columns: COLUMNS, rows: listRows(order, format, texts) });
  if (sheet.hasReplaced) {
    layout.gap(8);
    layout.lines(words.unreadable, { ...SOFT, size: 7.5 });
  }
  layout.finish();
  return buffer(sheet.bytes());
}

function getMark({ training, environment }: BillProofOrder["sale"], { words }: PageFormat) {
  if (training) return words.training;
  return environment === "test" ? words.test : undefined;
}

function drawHead(
  layout: Layout,
  sheet: Sheet,
  { logo, shop }: BillProofOrder,
  texts: IsolatedText,
): void {
  const top = layout.y;
  const from = drawLogo(sheet, logo, top);
  const place = { from, width: INNER_WIDTH - from };
  layout.lines(texts.text(shop.name), { size: 17, weight: "bold" }, place);
  for (const line of shop.lines) layout.lines(texts.text(line), SOFT, place);
  layout.y = Math.max(layout.y, from === 0 ? 0 : top + LOGO.height);
  layout.gap(14);
}

function listRows(
  { line, sale }: BillProofOrder,
  format: PageFormat,
  texts: IsolatedText,
): TableRow[] {
  const { words } = format;
  const { send, sendCurrency, sendCurrencyDivisor, due, finishedAt } = line;
  const billed = { currency: sendCurrency, currencyDivisor: sendCurrencyDivisor };
  const amount = (minor: number, unit: typeof billed) => format.formatAmount(minor, unit);
  const row = (name: string, value: string, isSum = false): TableRow[] =>
    value === "" ? [] : [{ cells: [name, value], isSum }];
  return [
    ...row(words.biller, texts.text(line.brandName)),
    ...row(words.service, texts.text(line.service ?? "")),
    ...row(words.account, texts.number(line.recipientFormatted)),
    ...(due === undefined ? [] : row(words.due, amount(due, billed))),
    ...row(words.billPaid, amount(send, billed), true),
    ...row(words.price, amount(line.price - line.discount, sale)),
    ...row(words.DELIVERED, finishedAt === undefined ? "" : texts.text(format.moment(finishedAt))),
    ...row(words.confirmation, texts.number(line.confirmationNumber ?? "")),
    ...row(words.reference, texts.number(line.referenceNumber ?? "")),
    ...row(words.transaction, texts.number(line.transactionId)),
    ...row(words.soldBy, texts.text(sale.staff.name)),
  ];
}
