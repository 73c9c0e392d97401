/**
 * The receipt on paper: printed by a real browser for both rolls, in every language, in each state
 * a sale can be in. Nothing may be cut, grey, missing, or on a second page.
 */
import { expect } from "@playwright/test";
import { expectOnePage, test } from "./support/printed-receipt.ts";
import { aLine, aReceipt } from "./support/receipts.ts";

const stillSending = aLine({
  transactionId: "0d3f6a52-6c1b-4f0e-9d55-3b1f4c7a9e10-2",
  status: "IN_PROGRESS",
  outcome: "STILL_SENDING",
  brandName: "Claro",
  title: "2 GB · 7 days",
  recipientFormatted: "+502 4001 9920",
  price: 3500,
});
const notDelivered = aLine({
  transactionId: "0d3f6a52-6c1b-4f0e-9d55-3b1f4c7a9e10-3",
  status: "FAILED",
  outcome: "NOT_DELIVERED",
  recipientFormatted: "+1 809 555 0134",
  price: 2600,
});
const LONG_NAME = "Supermercado y Abarrotería Nuestra Señora de la Candelaria";
const longNames = aLine({
  brandName: "Telecomunicaciones Internacionales de Centroamérica",
  title: "Paquete ilimitado nacional e internacional con 25 GB, 500 minutos y 1000 mensajes · 30 d",
  recipientFormatted: "+1 (809) 555-0134",
  price: 123_456_789_00,
  send: 123_456_789_00,
  confirmationNumber: "A".repeat(64),
  transactionId: "x".repeat(128),
});
const SHOP_LINES = ["12 Calle 4-56, Zona 1, Centro Histórico 01", "Помощь: 2222 3333"];
const everything = aReceipt([aLine(), stillSending, notDelivered, longNames], {
  shopName: LONG_NAME,
  shopAddress: SHOP_LINES.slice(0, 1),
  support: SHOP_LINES.slice(1),
  copy: true,
  copyNumber: 2,
});
everything.sale.environment = "test";

const WORDS = {
  en: ["Sale 000124", "Delivered", "Do not buy it again", "NOT DELIVERED", "To give back", "Total"],
  es: [
    "Venta 000124",
    "Entregado",
    "No lo compre otra vez",
    "NO ENTREGADO",
    "A devolver",
    "Cambio",
  ],
  fr: ["Vente 000124", "Livré", "Ne le rachetez pas", "NON LIVRÉ", "À rendre", "Espèces"],
} as const;
const BANNERS = {
  en: ["TEST — NO VALUE", "COPY 2"],
  es: ["PRUEBA — SIN VALOR", "COPIA 2"],
  fr: ["TEST — SANS VALEUR", "COPIE 2"],
} as const;

for (const paper of ["80mm", "58mm"] as const) {
  for (const language of ["en", "es", "fr"] as const) {
    test(`everything there is fits on ${paper} paper in ${language}`, async ({ printer }) => {
      const sheet = await printer.print({ ...everything, language }, paper);

      expect(sheet.cut).toEqual([]);
      expect(sheet.colours).toEqual([]);
      expectOnePage(sheet, paper);
      for (const words of [...WORDS[language], ...BANNERS[language], LONG_NAME, ...SHOP_LINES]) {
        expect(sheet.text).toContain(words);
      }
      expect(sheet.text).not.toContain("The till itself");
    });
  }

  test(`a delivered sale says all of it on ${paper} paper`, async ({ printer }) => {
    const sheet = await printer.print(aReceipt([aLine()]), paper);

    expect(sheet.cut).toEqual([]);
    expectOnePage(sheet, paper);
    const said = ["Tienda La Esperanza", "15 Jan 2026", "09:30", "Served by Ana", "Tigo"];
    said.push("Top-up 50 GTQ", "+502 5123 4567", "Q 50.00", "Q 52.00", "Delivered");
    said.push("883729310046", "0d3f6a52-6c1b-4f0e-9d55-3b1f4c7a9e10-1", "Q 200.00", "Q 148.00");
    // Narrow paper breaks a long number over two lines.
    const written = sheet.text.replaceAll(" ", "");
    for (const words of said) {
      expect(written).toContain(words.replaceAll(" ", ""));
    }
    expect(sheet.text).not.toMatch(/COPY|TEST|give back/i);
  });
}

test("what is being sent says until when, and what is not delivered, what is owed", async ({
  printer,
}) => {
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
  expect(failed.text).toContain("To give back: Q 26.00");
  expect(failed.text).not.toMatch(/given back|Thank you/);
  expect(failed.text).toContain("until you have your money back");
  expect(sending.text).toContain("2 GB");
  expect(sending.text).not.toContain("Value");
});

test("in a browser the dialog opens once and the page is as it was", async ({ printer, page }) => {
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
      const left = document.querySelectorAll("[data-print-sheet], head > style").length;
      return { dialogs, results, left };
    },
    aReceipt([aLine()]),
  );

  expect(seen.results).toEqual([{ printed: true }, { printed: true }]);
  expect(seen.dialogs).toHaveLength(2);
  expect(seen.dialogs[0]).not.toContain("COPY");
  expect(seen.dialogs[1]).toContain("COPY 1");
  expect(seen.left).toBe(0);
});

test("on the screen it is the same receipt, as wide as its paper", async ({ printer, page }) => {
  await printer.print(aReceipt([aLine()]), "58mm");
  await page.evaluate((receipt) => window.showReceipt(receipt, "58mm"), aReceipt([aLine()]));
  const box = await page.getByRole("article").boundingBox();
  await page.getByRole("article").screenshot({ path: "artifacts/screens/receipt-58mm.png" });

  expect(box?.width).toBeCloseTo((58 * 96) / 25.4, 0);
});
