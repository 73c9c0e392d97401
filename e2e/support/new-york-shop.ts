import type { Page } from "@playwright/test";
import { CLERK, hireClerk, openShift, type ShopProcess, setUp } from "../fixtures.ts";
import { Counter } from "../pages/counter.ts";
import { SignIn } from "../pages/sign-in.ts";

/** A number that is valid with Alabama's area code and with Singapore's country code. */
export const EITHER = "6592345678";

export async function openInNewYork(page: Page, shop: ShopProcess): Promise<Counter> {
  await setUp(shop, { name: "Corner Shop", language: "en", money: ["USD", "1"] });
  await shop.admin("settings", "set", "--time-zone", "America/New_York");
  await hireClerk(shop);
  await openShift(shop, CLERK.name, CLERK.pin);
  await page.goto(shop.url);
  await new SignIn(page).as(CLERK.name, CLERK.pin);
  const counter = new Counter(page);
  await counter.isReady();
  return counter;
}
