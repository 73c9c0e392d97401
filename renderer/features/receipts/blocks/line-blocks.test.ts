import { expect, it } from "vitest";
import { anEsim, aReceipt } from "../../../../e2e/support/receipts.ts";
import { lineBlocks } from "./receipt-blocks.ts";
import { receiptFormat } from "./receipt-format.ts";

it("lineBlocks prints the QR code of a new eSIM, but none for a plan on an existing eSIM", () => {
  const bought = anEsim();
  const { iccid, qrContent, activationCode } = bought.esim!;
  const format = receiptFormat(aReceipt([bought]));
  expect(JSON.stringify(lineBlocks(bought, format))).toContain(qrContent);
  const paper = JSON.stringify(lineBlocks({ ...bought, iccid }, format));
  expect(paper).not.toContain(activationCode);
  expect(paper).toContain("Nothing to scan");
  expect(paper).toContain(iccid);
});

it("lineBlocks names a bundle in the receipt's language", () => {
  const bundle = { ...anEsim(), brandName: "Tigo", title: "12 GB, unlimited calls, 30 days" };
  const paper = (language: "en" | "es") => {
    const format = receiptFormat(aReceipt([bundle], { language }));
    return JSON.stringify(lineBlocks(bundle, format));
  };
  expect(paper("en")).toContain("Tigo 12 GB, unlimited calls, 30 days");
  expect(paper("es")).toContain("Tigo 12 GB, llamadas ilimitadas, 30 días");
});

it("lineBlocks prints a notice if a delivery lacks its code", () => {
  const { esim: _, ...line } = { ...anEsim(), details: "MISSING" as const };
  for (const language of ["en", "es", "fr", "pt", "ar"] as const) {
    const blocks = lineBlocks(line, receiptFormat(aReceipt([line], { language })));
    const notices = blocks.filter(({ kind }) => kind === "notice");
    expect(notices).toHaveLength(1);
    expect(JSON.stringify(notices)).not.toContain("codeMissing");
  }
});
