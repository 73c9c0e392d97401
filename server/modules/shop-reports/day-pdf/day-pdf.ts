import type { Language } from "../../../contract/pos/setup.ts";
import type { Scope } from "../../../db/changes.ts";
import { type Db, readSnapshot } from "../../../db/database.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { Layout } from "../../../lib/pdf/layout.ts";
import { drawLogo, LOGO } from "../../../lib/pdf/logo.ts";
import { INNER_WIDTH, Sheet } from "../../../lib/pdf/sheet.ts";
import { readTypeface } from "../../../lib/pdf/typeface.ts";
import { showable } from "../../../lib/pdf/visual-text.ts";
import { ReportFiles } from "../../reports/index.ts";
import { DayFormat } from "./day-format.ts";
import { moneyWalk, owedTable, payments, summary, taxTable, walletWalk } from "./day-money.ts";
import { partTables } from "./day-parts.ts";
import { shiftTable } from "./day-shifts.ts";
import { type DaySource, readDaySource } from "./day-source.ts";

/** Which day is written, in which language, and who asked for it. */
export interface DayPdfOrder {
  dataDir: string;
  resourcesDir: string;
  fileName: string;
  scope: Scope;
  day: string;
  language: Language;
  /** The moment whose figures they are. */
  now: number;
  /** A person, or a schedule. */
  madeBy: { kind: "PERSON" | "SCHEDULE"; name: string };
  /** Brands by their codes. */
  brandNames: readonly (readonly [code: string, name: string])[];
}

/** Writes the document of a day into its file, from one moment of the books. */
export async function writeDayPdf(db: Db, order: DayPdfOrder): Promise<void> {
  const brandNames = new Map(order.brandNames.map(([code, brandName]) => [code, { brandName }]));
  const source = await readSnapshot(db, (snapshot) =>
    readDaySource(snapshot, { ...order, brandNames }),
  );
  const sheet = await drawDay(source, order);
  await new ReportFiles(order.dataDir).write(order.fileName, sheet.bytes());
}

async function drawDay(source: DaySource, order: DayPdfOrder): Promise<Sheet> {
  const typeface = await readTypeface(order.resourcesDir);
  const { shop, figures } = source;
  const canShow = (text: string) => showable(text, typeface.regular) === text.normalize("NFC");
  const format = new DayFormat(order.language, shop.timeZone, canShow);
  const { words } = format;
  const isTest = order.scope.environment === "test";
  const day = format.day(order.day);
  const title = `${format.isolate(shop.name)} · ${day}`;
  const sheet = new Sheet(typeface, format.direction, {
    title: plain(isTest ? `${words.document.test} · ${title}` : title),
    author: shop.name,
    language: order.language,
    madeAt: new Date(order.now),
  });
  const layout = new Layout(sheet, {
    ...(isTest && { stamp: words.document.test }),
    running: title,
    foot: madeWords(order, format),
    pageOf: (number, count) =>
      format.fill(words.document.page, { page: String(number), pages: String(count) }),
  });
  drawHead(layout, sheet, { source, format, day });
  if (figures.money.figures.lines === 0) layout.lines(words.document.nothing, { size: 10 });
  const parts = [
    summary(figures, format),
    moneyWalk(figures, format),
    payments(figures, format),
    taxTable(figures, format),
    ...partTables(figures, format),
    shiftTable(source, format),
    owedTable(figures, format),
    walletWalk(figures, format),
  ];
  for (const part of parts) layout.part(part);
  if (sheet.hasReplaced || !canShow(order.madeBy.name)) {
    layout.gap(8);
    layout.lines(words.document.unreadable, { size: 7.5, color: "#4b5563" });
  }
  layout.finish();
  return sheet;
}

/** The shop with its logo and address, and the day. */
function drawHead(
  layout: Layout,
  sheet: Sheet,
  { source, format, day }: { source: DaySource; format: DayFormat; day: string },
): void {
  const { shop, figures, logo } = source;
  const { document } = format.words;
  const top = layout.y;
  const from = drawLogo(sheet, logo, top);
  const place = { from, width: INNER_WIDTH - from };
  layout.lines(format.isolate(shop.name), { size: 17, weight: "bold" }, place);
  const soft = { size: 8.5, color: "#4b5563" };
  for (const line of [...shop.receipt.address, ...shop.receipt.support]) {
    layout.lines(format.isolate(line), soft, place);
  }
  layout.y = Math.max(layout.y, from === 0 ? 0 : top + LOGO.height);
  layout.gap(10);
  layout.lines(document.title, { size: 11, color: "#4b5563" });
  layout.lines(day, { size: 14, weight: "bold" });
  const { period, madeAt, dayStartsAt } = figures.money;
  const zone =
    dayStartsAt === 0
      ? format.isolate(shop.timeZone)
      : format.fill(document.zoneFrom, { zone: shop.timeZone, time: timeOfDay(dayStartsAt) });
  layout.lines(format.fill(document.zone, { zone }), soft);
  if (period.isUnfinished) {
    const time = format.moment(madeAt);
    layout.lines(format.fill(document.notOver, { time }), { size: 10, weight: "bold" });
  }
}

function madeWords({ now, madeBy }: DayPdfOrder, format: DayFormat): string {
  const { made, madeByItself } = format.words.document;
  const text = madeBy.kind === "PERSON" ? made : madeByItself;
  return format.fill(text, { time: format.moment(toTimestamp(now)), name: madeBy.name });
}

/** Minutes after midnight as clocks show them. */
function timeOfDay(minutes: number): string {
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60];
  return [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
}

/** Without the marks that steer letters: a title is plain text. */
function plain(text: string): string {
  return text.replaceAll(/[\u2066-\u2069]/g, "");
}
