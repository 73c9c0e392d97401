import { expect } from "@playwright/test";
import { expectOnePage, test } from "./support/printed-receipt.ts";
import { aLine, aReceipt, notDelivered, stillSending } from "./support/receipts.ts";

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
  en: ["Sale 000124", "Delivered", "Do not buy it again", "NOT DELIVERED", "Refund due", "Total"],
  es: [
    "Venta 000124",
    "Entregado",
    "No lo compre otra vez",
    "NO ENTREGADO",
    "Reembolso pendiente",
    "Vuelto",
  ],
  fr: ["Vente 000124", "Livré", "Ne le rachetez pas", "NON LIVRÉ", "Remboursement dû", "Espèces"],
} as const;
const BANNERS = {
  en: ["TEST — NO VALUE", "COPY 2"],
  es: ["PRUEBA — SIN VALOR", "COPIA 2"],
  fr: ["TEST — SANS VALEUR", "COPIE 2"],
} as const;

for (const paper of ["80mm", "58mm"] as const) {
  for (const language of ["en", "es", "fr"] as const) {
    test(`a receipt with all parts fits on ${paper} paper in ${language}`, async ({ printer }) => {
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
}

test("the screen shows the printed receipt, as wide as the paper", async ({ printer, page }) => {
  await printer.print(aReceipt([aLine()]), "58mm");
  await page.evaluate((receipt) => window.showReceipt(receipt, "58mm"), aReceipt([aLine()]));
  const box = await page.getByRole("article").boundingBox();
  await page.getByRole("article").screenshot({ path: "artifacts/screens/receipt-58mm.png" });

  expect(box?.width).toBeCloseTo((58 * 96) / 25.4, 0);
});
