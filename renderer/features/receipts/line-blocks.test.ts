import { expect, it } from "vitest";
import { aLine, aReceipt } from "../../../e2e/support/receipts.ts";
import { lineBlocks } from "./line-blocks.ts";
import { receiptFormat } from "./receipt-format.ts";

const iccid = "8944501234567890123";
const esim = {
  iccid,
  smdpAddress: "rsp.truphone.example",
  activationCode: "QR-G-5C",
  qrContent: "LPA:1$rsp.truphone.example$QR-G-5C",
  instructions: "",
};

it("prints the code of a new eSIM, and none for a plan that is on the customer's already", () => {
  const bought = aLine({ productType: "ESIM", esim });
  const added = aLine({ productType: "ESIM", esim, iccid });
  const format = receiptFormat(aReceipt([bought]));
  expect(JSON.stringify(lineBlocks(bought, format))).toContain(esim.qrContent);
  const paper = JSON.stringify(lineBlocks(added, format));
  expect(paper).not.toContain(esim.activationCode);
  expect(paper).toContain("Nothing to scan");
  expect(paper).toContain(iccid);
});
