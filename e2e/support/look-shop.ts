import { expect, type Locator, type Page } from "@playwright/test";
import { OWN_PIN_HEADER } from "../../server/contract/pos/operation.ts";
import type { Language } from "../../server/contract/pos/setup.ts";
import { CLERK, OWNER_PIN, openShift, type ShopProcess, setUp } from "../fixtures.ts";

interface LookShop {
  readonly language: Language;
  readonly name?: string;
  /** Currency of the shop, and its exchange rate per US dollar. */
  readonly money?: readonly [currency: string, rate: string];
}

export async function openShop(page: Page, shop: ShopProcess, wanted: LookShop): Promise<void> {
  const { language, name = "Tienda Sol", money } = wanted;
  await setUp(shop, { name, language, ...(money && { money }) });
  await openShift(shop, "Rosa", OWNER_PIN);
  await enter(page, shop);
  await expect(page.locator("[data-counter-field]")).toBeVisible();
}

export async function enter(page: Page, { url }: ShopProcess): Promise<void> {
  await page.goto(url);
  await signInAs(page, "Rosa", OWNER_PIN);
}

export async function limitClerk(page: Page, limits: object): Promise<void> {
  const staff = `${new URL(page.url()).origin}/pos/staff`;
  const names = await (await page.request.get(`${staff}/names`)).json();
  const ana = names.list.find((person: { name: string }) => person.name === CLERK.name);
  const changed = await page.request.patch(`${staff}/${ana.staffId}`, {
    data: { limits },
    headers: { [OWN_PIN_HEADER]: OWNER_PIN },
  });
  expect(changed.ok()).toBe(true);
}

/** Signs in at the lock screen, and moves the pointer away from elements that react to it. */
export async function signInAs(page: Page, name: string, pin = CLERK.pin): Promise<void> {
  await page.getByRole("button", { name }).click();
  await page.mouse.move(0, 0);
  await page.keyboard.type(pin);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation").first()).toBeVisible();
}

export async function openPerson(shop: ShopProcess, name: string): Promise<void> {
  await openShift(shop, name, CLERK.pin);
}

export async function typeNumber(page: Page, digits: string): Promise<void> {
  await page.keyboard.type(digits);
  await page.keyboard.press("Enter");
  await expect(tile(page, 1)).toBeVisible();
}

export function tile(page: Page, digit: number): Locator {
  const key = page.locator("[data-key]", { hasText: new RegExp(`^${digit}$`) });
  return page.locator("main button").filter({ has: key });
}

export function confirm(page: Page): Locator {
  return page.locator("main").getByRole("heading", { level: 1 });
}

export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Presses an item of the account menu. The items have no other mark that is equal in all languages. */
export async function chooseFromAccount(page: Page, icon: string): Promise<void> {
  await page.locator("nav button[aria-haspopup=dialog]").click();
  await page.locator(`[role=dialog] .tabler-icon-${icon}`).click();
}
