import type {
  OwedSale,
  ShiftFigures,
  Tally,
  XReport,
  ZReport,
} from "../../../server/contract/pos/shifts.ts";
import type { Translate } from "../../lib/i18n.ts";

/** Figures with a common heading. `strong` marks their sum. */
export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

interface Row {
  readonly key: string;
  readonly label: string;
  readonly value: string;
  readonly strong?: boolean;
}

export interface FigureFormat {
  readonly t: Translate;
  readonly money: (minor: number) => string;
  readonly wallet: (minor: number) => string;
  readonly number: (value: number) => string;
  readonly taxRate: (rate: string) => string;
}

export function reportSections(report: ZReport, format: FigureFormat): Section[] {
  const { figures, shift } = report;
  return [
    ...figureSections(figures, shift.float, format, cashRows(report, format)),
    ...owedSections(report.owed, format),
  ];
}

/** Owed refunds are money in the drawer that belongs to customers. */
export function owedSections(
  owed: readonly OwedSale[],
  { t, money }: Pick<FigureFormat, "t" | "money">,
): Section[] {
  const rows = owed.map(({ saleId, saleNumber, amount }) => ({
    key: saleId,
    label: t("sale.number", { number: saleNumber }),
    value: money(amount),
  }));
  if (rows.length === 0) return [];
  const total = {
    key: "total",
    label: t("shift.owed.due"),
    value: money(owed.reduce((sum, { amount }) => sum + amount, 0)),
    strong: true,
  };
  return [{ title: t("shift.owed.title"), rows: [...rows, total] }];
}

/** People who count blind see the number of sales but no amounts. */
export function blindSections(
  { sales }: Pick<XReport, "sales">,
  { t, number }: Pick<FigureFormat, "t" | "number">,
): Section[] {
  const row = { key: "sales", label: t("shift.figures.sales"), value: number(sales) };
  return [{ title: t("shift.figures.sold"), rows: [row] }];
}

/**
 * Returns the sections of a report. Omits sections without rows.
 * @param sums rows of the expected and the counted cash, at the end of the drawer's section
 */
export function figureSections(
  figures: ShiftFigures,
  float: number,
  format: FigureFormat,
  sums: readonly Row[] = [],
): Section[] {
  const { t } = format;
  return [
    { title: t("shift.figures.sold"), rows: soldRows(figures, format) },
    { title: t("shift.figures.tenders"), rows: tenderRows(figures, format) },
    {
      title: t("shift.figures.drawer"),
      rows: [...drawerRows(figures, float, format), ...sums],
    },
    { title: t("shift.figures.carriedOver"), rows: outcomeRows(figures.carriedOver, format) },
  ].filter(({ rows }) => rows.length > 0);
}

function soldRows(figures: ShiftFigures, format: FigureFormat): Row[] {
  const { t, money, wallet, number } = format;
  return [
    {
      key: "sales",
      label: t("common.counted", {
        label: t("shift.figures.sales"),
        number: number(figures.sales.count),
      }),
      value: money(figures.sales.value),
      strong: true,
    },
    ...outcomeRows({ ...figures, notDelivered: soldAs(figures) }, format),
    ...tallyRow("discounts", t("shift.figures.discounts"), figures.discounts, format),
    ...figures.families.flatMap(({ productType, delivered }) =>
      tallyRow(productType, t(`family.${productType}.several`), delivered, format),
    ),
    ...taxRows(figures, format),
    { key: "value", label: t("shift.figures.valueSold"), value: money(figures.delivered.value) },
    ...(figures.walletSpent === undefined
      ? []
      : [
          {
            key: "wallet",
            label: t("shift.figures.walletSpent"),
            value: wallet(figures.walletSpent),
          },
        ]),
  ];
}

/** Older versions counted undelivered lines as sold. Their reports contain no refunds due. */
function soldAs({ refundsDue, notDelivered }: ShiftFigures): Tally {
  return refundsDue === undefined ? notDelivered : { count: 0, value: 0 };
}

function taxRows({ taxes }: ShiftFigures, { t, money, taxRate }: FigureFormat): Row[] {
  return taxes.flatMap((tax) => {
    const { kind, sold, refunded } = tax;
    if (kind === "NONE") return [];
    const key = `${kind} ${tax.percent}`;
    const label = t(`shift.figures.tax.${kind}`, { percent: taxRate(tax.percent) });
    const back = `${t("shift.figures.notDelivered")} · ${label}`;
    return [
      ...(sold > 0 ? [{ key, label, value: money(sold) }] : []),
      ...(refunded > 0 ? [{ key: `back-${key}`, label: back, value: money(-refunded) }] : []),
    ];
  });
}

function outcomeRows(
  { delivered, notDelivered, unfinished }: ShiftFigures["carriedOver"],
  format: FigureFormat,
): Row[] {
  const { t } = format;
  return [
    ...tallyRow("delivered", t("shift.figures.delivered"), delivered, format),
    ...tallyRow("notDelivered", t("shift.figures.notDelivered"), notDelivered, format),
    ...tallyRow("unfinished", t("shift.figures.unfinished"), unfinished, format),
  ];
}

function tenderRows(figures: ShiftFigures, format: FigureFormat): Row[] {
  const { tenders, customerRefunds, cashRounding, notDelivered, refundsDue } = figures;
  const { t, money } = format;
  const label = t("shift.figures.cashRounding");
  const failed = refundsDue === undefined ? { count: 0, value: 0 } : notDelivered;
  return [
    ...tallyRow("notDelivered", t("shift.figures.notDelivered"), failed, format),
    ...(cashRounding === 0 ? [] : [{ key: "rounding", label, value: money(cashRounding) }]),
    ...tenders.flatMap((tender) => tallyRow(keyOf(tender), nameOf(tender, t), tender, format)),
    ...customerRefunds.flatMap((given) =>
      tallyRow(
        `back-${keyOf(given)}`,
        `${t("shift.figures.customerRefunds")} · ${nameOf(given, t)}`,
        negative(given),
        format,
      ),
    ),
  ];
}

type TenderOfShift = ShiftFigures["tenders"][number];

function keyOf({ kind, tenderId = kind }: TenderOfShift): string {
  return tenderId;
}

function nameOf({ kind, name }: TenderOfShift, t: Translate): string {
  return name ?? t(`shift.tender.${kind}`);
}

/** The rows add up to the expected cash. */
function drawerRows(figures: ShiftFigures, float: number, format: FigureFormat): Row[] {
  const { t, money, number } = format;
  const noSales = {
    key: "noSales",
    label: t("shift.figures.noSales"),
    value: number(figures.noSales),
  };
  return [
    { key: "float", label: t("shift.float"), value: money(float) },
    {
      key: "cash",
      label: t("shift.figures.cashTaken"),
      value: money(figures.cashTendered - figures.changeGiven),
    },
    ...tallyRow("payIns", t("shift.figures.payIns"), figures.payIns, format),
    ...tallyRow("payOuts", t("shift.figures.payOuts"), negative(figures.payOuts), format),
    ...tallyRow("drops", t("shift.figures.drops"), negative(figures.drops), format),
    ...figures.customerRefunds
      .filter(({ kind }) => kind === "CASH")
      .flatMap((given) =>
        tallyRow("cashBack", t("shift.figures.customerRefunds"), negative(given), format),
      ),
    ...(figures.noSales === 0 ? [] : [noSales]),
  ];
}

function tallyRow(
  key: string,
  label: string,
  { count, value }: Tally,
  { t, money, number }: FigureFormat,
): Row[] {
  const counted = t("common.counted", { label, number: number(count) });
  return count === 0 ? [] : [{ key, label: counted, value: money(value) }];
}

/** Returns no row for people who count blind. */
export function expectedRows(
  expectedCash: number | undefined,
  { t, money }: Pick<FigureFormat, "t" | "money">,
): Row[] {
  if (expectedCash === undefined) return [];
  const label = t("shift.figures.expected");
  return [{ key: "expected", label, value: money(expectedCash), strong: true }];
}

function cashRows(report: ZReport, format: FigureFormat): Row[] {
  const { t, money } = format;
  return [
    ...expectedRows(report.expectedCash, format),
    ...(report.counted === undefined
      ? []
      : [{ key: "counted", label: t("shift.figures.counted"), value: money(report.counted) }]),
  ];
}

function negative({ count, value }: Tally): Tally {
  return { count, value: -value };
}
