import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { PosSearchIndex } from "../../server/contract/pos/search-index.ts";

type Group = PosSearchIndex["groups"][number];

interface SoldLine {
  readonly transactionId: string;
  readonly productType: string;
  readonly offerId: string;
  readonly price: number;
  readonly recipientPhoneNumber?: string;
}

const PHONE = "+50251234567";

/**
 * Sells up to `most` different gift cards and eSIM plans once each, and a top-up four times.
 * @returns titles of the sold cards and plans, in the order of the sales
 */
export async function sellUsualThings(page: Page, most: number): Promise<string[]> {
  const { origin } = new URL(page.url());
  const index: PosSearchIndex = await (await page.request.get(`${origin}/pos/search-index`)).json();
  const ofBrand = (brand: string) => index.groups.find((group) => group.brand === brand);
  const homely = index.groups.filter(isHomely);
  const groups = [ofBrand("CEMACO_GT"), ...homely].filter((group) => group !== undefined);
  const titles: string[] = [];
  for (const { productType, offers } of new Set(groups)) {
    const [offerId, title, price] = offers[0]!;
    const line = { transactionId: randomUUID(), productType, offerId, price };
    const isSold = await sell(page, origin, line);
    if (isSold) titles.push(title);
    if (titles.length === most) break;
  }
  const topup = index.groups.find(
    ({ productType, country, brand }) =>
      productType === "TOPUP" && country === "GT" && brand.startsWith("TIGO"),
  )!;
  const [offerId, , price] = topup.offers[0]!;
  for (const recipientPhoneNumber of [PHONE, "+50251230001", "+50251239001", "+50251239004"]) {
    const line = { transactionId: randomUUID(), productType: "TOPUP", offerId, price };
    await sell(page, origin, { ...line, recipientPhoneNumber });
  }
  return titles;
}

function isHomely({ productType, country }: Group): boolean {
  return (
    (productType === "VOUCHER" && country === "GT") || (productType === "ESIM" && country === "ES")
  );
}

async function sell(page: Page, origin: string, line: SoldLine): Promise<boolean> {
  const answer = await page.request.post(`${origin}/pos/sales`, {
    data: {
      saleId: randomUUID(),
      lines: [line],
      tenders: [{ kind: "CASH", tendered: line.price }],
    },
  });
  return answer.ok();
}
