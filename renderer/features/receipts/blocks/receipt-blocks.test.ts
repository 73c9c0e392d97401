import { describe, expect, it, vi } from "vitest";
import {
  aLine,
  anEsim,
  aReceipt,
  aVoucher,
  notDelivered,
} from "../../../../e2e/support/receipts.ts";
import type { Receipt } from "../../../../server/contract/pos/sales.ts";
import { withoutIsolates } from "../../../lib/direction.ts";
import { receiptBlocks } from "./receipt-blocks.ts";

function paperOf(receipt: Receipt): string[] {
  return receiptBlocks(receipt).map((block) => {
    const pair = block.kind === "pair" ? `${block.label} ${block.value}` : "";
    const text = "text" in block ? block.text : pair;
    return withoutIsolates(text).replaceAll(/\s/g, " ").trim();
  });
}

const anyAmountBill = aLine({
  productType: "BILL_PAY",
  brandName: "EEGSA",
  title: "15.01 to 2251.50 GTQ",
  service: "Electricity",
  value: { type: "ZEND", value: 20_000 },
  send: 20_000,
  price: 20_900,
  recipientPhoneNumber: undefined,
  recipientFormatted: "00123456-7",
});

describe("product on a receipt", () => {
  it("includes the chosen amount, but never the limits of the offer", () => {
    const topUp = aLine({
      title: "5 to 500 GTQ",
      value: { type: "ZEND", value: 5_500 },
      send: 5_500,
      price: 5_700,
    });
    const paper = paperOf(aReceipt([topUp, anyAmountBill]));
    expect(paper).toContain("Tigo Q 55.00 Q 57.00");
    expect(paper).toContain("EEGSA · Electricity · Q 200.00 Q 209.00");
    expect(paper.join("\n")).not.toMatch(/15\.01|2251/);
  });

  it("names the kind of bill in the receipt's language", () => {
    for (const [language, service] of [
      ["es", "Electricidad"],
      ["fr", "Électricité"],
      ["pt", "Eletricidade"],
      ["ar", "كهرباء"],
    ] as const) {
      const paper = paperOf(aReceipt([anyAmountBill], { language })).join("\n");
      expect(paper).toContain(`EEGSA · ${service} · `);
    }
  });
});

describe("copy of a receipt", () => {
  it("shows its number in a banner; the original receipt has no such banner", () => {
    const bannersOf = (copyNumber: number) =>
      receiptBlocks(aReceipt([aLine()], { copy: copyNumber > 0, copyNumber })).flatMap((block) =>
        block.kind === "banner" ? [block.text] : [],
      );
    expect(bannersOf(0).filter((text) => text.includes("COPY"))).toEqual([]);
    expect(bannersOf(1)).toContain("COPY 1");
    expect(bannersOf(2)).toContain("COPY 2");
  });
});

describe("sums section of a receipt", () => {
  it("prints each discount once, below its line", () => {
    const lines = [aLine({ discount: 200 }), aLine({ discount: 100 }), aLine()];
    const receipt = aReceipt(lines);
    receipt.sale.discount = 300;
    receipt.sale.total -= 300;
    const discounts = paperOf(receipt).filter((text) => text.startsWith("Discount"));
    expect(discounts).toEqual(["Discount −Q 2.00", "Discount −Q 1.00"]);
  });

  it("prints refunds and the net payment", () => {
    const lines = [aLine(), { ...notDelivered, refunded: true }];
    for (const copy of [false, true]) {
      const receipt = aReceipt(lines, { copy, copyNumber: Number(copy) });
      Object.assign(receipt.sale, { refundDue: 0, refundTenders: [], refunded: 2_600 });
      const paper = paperOf(receipt);
      const from = paper.indexOf("Total Q 78.00");
      expect(from).toBeGreaterThan(-1);
      expect(paper.slice(from + 3, from + 5)).toEqual([
        "Refunded −Q 26.00",
        "Paid after refund Q 52.00",
      ]);
    }
  });

  it("prints the rounding of the cash part and the net payment", () => {
    const receipt = aReceipt([aLine({ price: 2_635 }), { ...notDelivered, refunded: true }]);
    Object.assign(receipt.sale, { cashRounding: 15, refundDue: 0, refunded: 2_600 });
    const paper = paperOf(receipt);
    const from = paper.indexOf("Total Q 52.35");
    expect(paper[from + 1]).toBe("Cash rounding Q 0.15");
    expect(paper).toContain("Paid after refund Q 26.50");
    expect(paperOf(aReceipt([aLine()])).join("\n")).not.toContain("rounding");
  });

  it("prints the tax of each rate in every language, and nothing if there is no tax", () => {
    const taxes = [
      { percent: "2.5", amount: 30 },
      { percent: "19", amount: 830 },
    ];
    for (const [language, lines] of [
      ["en", ["Includes tax 2.5% Q 0.30", "Includes tax 19% Q 8.30"]],
      ["es", ["Incluye impuesto 2.5% Q 0.30", "Incluye impuesto 19% Q 8.30"]],
      ["fr", ["Dont taxe 2,5 % 0,30 Q", "Dont taxe 19 % 8,30 Q"]],
      ["pt", ["Inclui imposto 2,5% Q 0,30", "Inclui imposto 19% Q 8,30"]],
      ["ar", ["يشمل ضريبة 2.5% Q 0.30", "يشمل ضريبة 19% Q 8.30"]],
    ] as const) {
      const receipt = aReceipt([aLine()], { language });
      const without = paperOf(receipt);
      receipt.sale.taxes = taxes;
      const added = paperOf(receipt)
        .filter((text) => !without.includes(text))
        .map((text) => text.replaceAll("\u200e", ""));
      expect(added).toEqual(lines);
    }
  });

  it("prints no net payment without a refund", () => {
    expect(paperOf(aReceipt([aLine()])).join("\n")).not.toMatch(/Paid after refund|Refunded/);
  });
});

describe("barcode section of a receipt", () => {
  const barcodesOf = (receipt: Receipt) =>
    receiptBlocks(receipt).flatMap((block) =>
      block.kind === "barcode" ? [{ label: block.label, content: block.content }] : [],
    );
  const ours = { label: "Receipt no.", content: "000124" };
  const card = aVoucher("Show the barcode on the receipt.", "");
  const voucher = { ...card.voucher!, epin: "6006491234567890" };

  it("contains a voucher's PIN for a cash desk and then the sale's number, each with its label", () => {
    const scanned = { ...card, voucher: { ...voucher, deliveryType: "BARCODE" } };
    expect(barcodesOf(aReceipt([scanned]))).toEqual([
      { label: "Show this barcode at checkout", content: "6006491234567890" },
      ours,
    ]);
  });

  it("contains only the sale's number if there is no PIN, or if the customer types the PIN", () => {
    for (const details of [voucher, { ...voucher, deliveryType: "BARCODE", epin: "" }]) {
      expect(barcodesOf(aReceipt([{ ...card, voucher: details }]))).toEqual([ours]);
    }
  });
});

it("a receipt prints a PIN unchanged, and a link in full with a QR code", () => {
  const card = aVoucher("", "");
  const blocksOf = (epin: string) =>
    receiptBlocks(aReceipt([{ ...card, voucher: { ...card.voucher!, epin } }]));
  expect(blocksOf("AAAAA-BBBBB-CCCCC")).toContainEqual(
    expect.objectContaining({ kind: "secret", value: "AAAAA-BBBBB-CCCCC" }),
  );
  const link = "https://gift.example/r?c=AB-12";
  const blocks = blocksOf(link);
  expect(blocks).toContainEqual({ kind: "text", text: link, code: true });
  expect(blocks).toContainEqual({ kind: "qr", content: link });
  expect(blocks.filter(({ kind }) => kind === "secret")).toEqual([]);
});

it("a date on a receipt keeps the direction of its language", () => {
  const blocks = receiptBlocks(aReceipt([aVoucher("", "")], { language: "ar" }));
  const date = blocks.find((block) => block.kind === "pair" && block.label === "صالح حتى");
  expect(date).toMatchObject({ value: expect.stringContaining("2027") });
  expect(date).not.toHaveProperty("code");
});

it.each([
  ["America/Guatemala", "Nov 30, 2027, 5:30 PM GMT-6"],
  ["Asia/Tokyo", "Dec 1, 2027, 8:30 AM GMT+9"],
])(
  "a receipt prints a voucher's expiry in the shop's zone %s and names the zone, regardless of the machine's zone",
  (timeZone, expiry) => {
    const card = aVoucher("", "");
    const voucher = { ...card.voucher!, expiresAt: "2027-11-30T23:30:00.000Z" };
    for (const machineZone of ["UTC", "Pacific/Honolulu", "Pacific/Kiritimati"]) {
      vi.stubEnv("TZ", machineZone);
      expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(machineZone);
      const paper = paperOf(aReceipt([{ ...card, voucher }], { timeZone }));
      expect(paper).toContain(`Valid until ${expiry}`);
    }
  },
);

describe("coverage of an eSIM on a receipt", () => {
  const esim = { ...anEsim(), title: "5 GB, 30 days" };

  it("names the country in the receipt's language", () => {
    const spain = { ...esim, country: "ES" };
    expect(paperOf(aReceipt([spain]))).toContain("Works in Spain");
    expect(paperOf(aReceipt([spain], { language: "fr" }))).toContain("Valable dans Espagne");
    expect(paperOf(aReceipt([spain], { language: "ar" }))).toContain("تعمل في إسبانيا");
  });

  it("lists the regions, each with its countries sorted by the receipt's language", () => {
    const area = { regions: ["Caribbean", "South America"], countries: ["DO", "BR", "AR"] };
    const line = { ...esim, country: "", area };
    const english = paperOf(aReceipt([line]));
    expect(english).toContain("Works in Caribbean, South America");
    expect(english).toContain("3 countries: Argentina, Brazil, Dominican Republic");
    const spanish = paperOf(aReceipt([line], { language: "es" }));
    expect(spanish).toContain("Funciona en Caribe, Sudamérica");
    expect(spanish).toContain("3 países: Argentina, Brasil, República Dominicana");
  });

  it("states the number of countries, and names only some countries if the list is long", () => {
    const countries =
      "AR AT BE BO BR CL CO CR DE DK DO EC ES FI FR GB GR GT HN IT JM MX NL PA PE PT";
    const area = { regions: ["Global"], countries: countries.split(" ") };
    const [list] = paperOf(aReceipt([{ ...esim, country: "", area }])).filter((text) =>
      text.startsWith("26 countries"),
    );
    expect(list).toMatch(/^26 countries, among them: Argentina, Austria, .*Portugal\. Ask us/);
    expect(list?.split(", ")).toHaveLength(1 + 24);
  });

  it("does not appear on receipts of other products", () => {
    expect(paperOf(aReceipt([aLine(), aVoucher("", "")])).join("\n")).not.toContain("Works in");
  });
});

describe("tender on a receipt", () => {
  it("has the name that the shop used at the sale, or otherwise the receipt's own word", () => {
    const receipt = aReceipt([aLine({ price: 1_000 })]);
    const tenders = [
      { kind: "CARD", name: "Visa terminal", amount: 600, reference: "0042" },
      { kind: "CARD", amount: 300 },
      { kind: "CASH", name: "Billetes", amount: 100, tendered: 200 },
    ] as const;
    const sale = { ...receipt.sale, tenders: [...tenders], change: 100 };
    const paper = paperOf({ ...receipt, sale });
    const from = paper.findIndex((line) => line.startsWith("Visa"));
    expect(paper.slice(from, from + 4)).toEqual([
      "Visa terminal · 0042 Q 6.00",
      "Card Q 3.00",
      "Billetes Q 2.00",
      "Change Q 1.00",
    ]);
  });
});
