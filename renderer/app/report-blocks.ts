import type { ReceiptBlock } from "../features/receipts/index.ts";
import type { ReportText } from "../features/shift/report-text.ts";

/** A report for a receipt printer of the network, in the order of its paper. */
export function reportBlocks(report: ReportText): ReceiptBlock[] {
  const { banners, shopName, title, lines, verdict, sections } = report;
  return [
    ...banners.map((text): ReceiptBlock => ({ kind: "banner", text })),
    { kind: "text", text: shopName, size: "shop", bold: true, center: true },
    { kind: "text", text: title, size: "large", bold: true, center: true },
    ...lines.map((text): ReceiptBlock => ({ kind: "text", text, center: true })),
    ...(verdict === undefined
      ? []
      : [
          { kind: "rule", heavy: true } as const,
          { kind: "text", text: verdict, bold: true, center: true } as const,
        ]),
    ...sections.flatMap(({ title: heading, rows }): ReceiptBlock[] => [
      { kind: "rule" },
      { kind: "text", text: heading, bold: true },
      ...rows.map(({ label, value, strong = false }): ReceiptBlock => {
        return { kind: "pair", label, value, bold: strong };
      }),
    ]),
  ];
}
