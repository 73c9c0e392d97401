import { expect } from "@playwright/test";
import { drawLogo } from "./support/logo-picture.ts";
import { expectOnePage, test } from "./support/printed-receipt.ts";
import { aLine, aReceipt, notDelivered, stillSending } from "./support/receipts.ts";

for (const paper of ["80mm", "58mm"] as const) {
  test(`a delivered sale prints all its details on ${paper} paper`, async ({ printer }) => {
    const sheet = await printer.print(aReceipt([aLine()]), paper);

    expect(sheet.cut).toEqual([]);
    expectOnePage(sheet, paper);
    const said = ["Tienda La Esperanza", "15 Jan 2026", "09:30", "Served by Ana", "Tigo"];
    said.push("Top-up 50 GTQ", "+502 5123 4567", "Q 50.00", "Q 52.00", "Delivered");
    said.push("883729310046", "0d3f6a52-6c1b-4f0e-9d55-3b1f4c7a9e10-1", "Q 200.00", "Q 148.00");
    // Ignores spaces, because narrow paper breaks a long number over two lines.
    const written = sheet.text.replaceAll(" ", "");
    for (const words of said) {
      expect(written).toContain(words.replaceAll(" ", ""));
    }
    expect(sheet.text).not.toMatch(/COPY|TEST|give back/i);
  });
}

test("the receipt of an open sale shows the deadline; the receipt of a failed sale shows the owed amount", {
  tag: "@core",
}, async ({ printer }) => {
  const sending = await printer.print(aReceipt([stillSending]), "80mm");
  const accepted = await printer.print(
    aReceipt([aLine({ outcome: "SENDING", status: "ACCEPTED" })]),
    "80mm",
  );
  const failed = await printer.print(aReceipt([notDelivered]), "80mm");

  for (const sheet of [sending, accepted]) {
    expect(sheet.text).toContain("we keep trying until 16 Jan 2026, 14:05");
    expect(sheet.text).not.toContain("883729310046");
  }
  expect(failed.text).toContain("Refund due: Q 26.00");
  expect(failed.text).not.toMatch(/given back|Thank you/);
  expect(failed.text).toContain("until you have your money back");
  expect(sending.text).toContain("2 GB");
  expect(sending.text).not.toContain("Value");
});

test("the browser's print dialog opens once and leaves the page unchanged", async ({
  printer,
  page,
}) => {
  await printer.print(aReceipt([aLine()]), "80mm");
  const seen = await page.evaluate(
    async (receipt) => {
      const dialogs: string[] = [];
      Object.assign(window, {
        tillgate: undefined,
        print: () => {
          dialogs.push(document.querySelector("[data-print-sheet]")?.textContent ?? "nothing");
          window.dispatchEvent(new Event("afterprint"));
        },
      });
      const results = await Promise.all([
        window.printReceipt(receipt, "80mm"),
        window.printReceipt({ ...receipt, copy: true, copyNumber: 1 }, "80mm"),
      ]);
      const left = () => document.querySelectorAll("[data-print-sheet], head > style").length;
      // The print sheet stays until a person touches the page, because no real dialog has closed.
      const before = left();
      window.dispatchEvent(new Event("pointerdown"));
      return { dialogs, results, before, after: left() };
    },
    aReceipt([aLine()]),
  );

  const done = { printed: true, begun: true };
  expect(seen.results).toEqual([done, done]);
  expect(seen.dialogs).toHaveLength(2);
  expect(seen.dialogs[0]).not.toContain("COPY");
  expect(seen.dialogs[1]).toContain("COPY 1");
  expect([seen.before, seen.after]).toEqual([2, 0]);
});

test("a receipt has the logo above the shop's name, and is printed without a logo that fails to load", async ({
  printer,
  page,
}) => {
  const logo = { digest: "0".repeat(64), width: 240, height: 96 };
  const receipt = aReceipt([aLine()], { logo });
  const without = await printer.print(receipt, "80mm");
  expectOnePage(without, "80mm");
  await page.route("**/pos/shop/logo/*", (route) =>
    route.fulfill({ contentType: "image/png", body: drawLogo("logo").buffer }),
  );
  const printed = await printer.print(receipt, "80mm");
  expectOnePage(printed, "80mm");
  const taller = (printed.pages[0]?.height ?? 0) - (without.pages[0]?.height ?? 0);
  expect(taller).toBeGreaterThan(50);
});
