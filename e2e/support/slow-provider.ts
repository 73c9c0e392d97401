import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import type { ShopProcess } from "../fixtures.ts";

export async function failFiveTimes(page: Page, { url }: ShopProcess): Promise<void> {
  for (const ending of ["19004", "29004", "39004", "49004", "59004"]) {
    const line = { transactionId: randomUUID(), productType: "TOPUP", price: 543 };
    const answer = await page.request.post(`${url}/pos/sales`, {
      data: {
        saleId: randomUUID(),
        lines: [{ ...line, offerId: "TIGO_GT_TOPUP_5", recipientPhoneNumber: `+502512${ending}` }],
        tenders: [{ kind: "CASH", tendered: 543 }],
      },
    });
    expect(answer.status(), await answer.text()).toBe(200);
  }
}
