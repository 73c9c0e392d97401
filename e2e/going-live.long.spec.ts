/** A shop and its provider, as two gateways, from the connection to the last live sale. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Environment } from "../server/contract/common.ts";
import { OWN_PIN_HEADER } from "../server/contract/pos/operation.ts";
import { expect, OWNER_PIN, setUp, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { payBill, sellEsim, sellVoucher } from "./pages/each-family.ts";
import { closeShifts, GoingLive } from "./pages/going-live.ts";
import { Shift } from "./pages/shift.ts";
import { SignIn } from "./pages/sign-in.ts";
import { catchPrints } from "./support/browser-prints.ts";
import { NEW_PIN, startProvider, walkAsOwner } from "./support/provider.ts";
import { endShop } from "./support/shop-process.ts";

const BRANDS = ["TIGO", "CEMACO", "AIRALO", "EEGSA"];
const LIVE_NUMBER = "53004001";
const TEST_NUMBER = "53004002";
/** A number to which the provider tries to deliver for 24 hours, without success. */
const NEVER_NUMBER = "53009004";

test("a shop connects, goes live, sells one of each family, and goes back; neither environment shows the other's sales", async ({
  freshData,
  freshShop: shop,
  page,
}) => {
  test.setTimeout(240_000);
  const provider = await startProvider(freshData, BRANDS);
  await setUp(shop, { name: "Tienda Sol", language: "en" });
  await page.goto(shop.url);
  const signIn = new SignIn(page);
  await signIn.as("Rosa", OWNER_PIN);
  const live = new GoingLive(page);
  const counter = new Counter(page);
  const shift = new Shift(page);

  async function delivered(sold: number, outcome = "Delivered"): Promise<void> {
    await expect(counter.panel.getByText(`Sale ${sold}`, { exact: true })).toBeVisible();
    await expect(counter.panel.getByText(outcome, { exact: true }).first()).toBeVisible();
  }

  await test.step("the shop makes a sale in test", async () => {
    await shift.takeOver("100");
    await counter.isReady();
    await counter.sellFirstOffer(`502${TEST_NUMBER}`);
    await delivered(1);
    await closeShifts(page);
  });

  await test.step("the required steps disappear one after another", async () => {
    await live.open();
    const first = live.toDo.filter({ hasText: "Enter the provider’s address" });
    await expect(first.getByRole("button", { name: "Open Provider" })).toBeVisible();
    const keyFile = join(shop.dataDir, "provider.key");
    await writeFile(keyFile, provider.key);
    const { url } = provider.gateway;
    const how = ["--url", url, "--key-file", keyFile, "--allow-private", "yes"];
    await shop.admin("upstream", "connect", "--env", "live", ...how);
    await rm(keyFile);
    await shop.admin("upstream", "sync", "--env", "live");
    await shop.admin("wallet", "recharge", "--env", "live", "--amount", "50000");
    await live.checkAgain();
    await expect(live.toDo.first()).toContainText("Review the downloaded products");
    // Does not check the backup requirement: the first backup is automatic, and may exist already.
    for (const said of ["Change the PIN", "Test restoring a backup", "Make one live sale"]) {
      await expect(live.toDo.filter({ hasText: said })).toHaveCount(1);
    }
    await changePin(page);
    await walkAsOwner(shop.url);
    await signIn.as("Rosa", NEW_PIN);
    await live.open();
    await expect(live.main.getByText(/You can go live/)).toBeVisible();
  });

  await test.step("the shop goes live with its name and the PIN", async () => {
    await live.goLive("Tienda Sol", NEW_PIN);
    await expect(live.main.getByRole("heading", { name: "Live mode" })).toBeVisible();
    await expect(page.getByText(/^test mode$/i)).toHaveCount(0);
    await live.endTrial(NEW_PIN);
    await page.getByRole("button", { name: "OK", exact: true }).click();
    await page.keyboard.press("F1");
    await shift.takeOver("50");
    await counter.isReady();
  });

  await test.step("the shop sells one of each family through the provider", async () => {
    await counter.sellFirstOffer(`502${LIVE_NUMBER}`);
    await delivered(1);
    await sellVoucher(counter);
    await delivered(2);
    await sellEsim(counter);
    await delivered(3);
    await payBill(counter);
    await delivered(4, "Paid");
    for (const path of ["/topups", "/vouchers", "/esim", "/billpay"]) {
      const done = `${path}/purchases?_limit=10&_offset=0&status=DONE`;
      const count = async () => (await provider.gateway.v1(done)).total;
      // The owner's first live sale was also a top-up.
      await expect.poll(count, { message: path }).toBe(path === "/topups" ? 2 : 1);
    }
  });

  await test.step("a receipt of a live sale does not mention the test", async () => {
    const papers = await catchPrints(page);
    await page.keyboard.press("Alt+p");
    await expect.poll(async () => (await papers()).length).toBe(1);
    const [paper = ""] = await papers();
    expect(paper).toContain("Tienda Sol");
    expect(paper).not.toMatch(/test/i);
  });

  await test.step("the shift closes while a sale is still being sent", async () => {
    await counter.sellFirstOffer(`502${NEVER_NUMBER}`);
    await expect(counter.panel.getByText("Pending").first()).toBeVisible({
      timeout: 60_000,
    });
    await closeShifts(page);
    const z = await seen(page, "/z-reports?limit=10&offset=0");
    expect(z.list[0].figures.sales.count).toBe(5);
  });

  const spent = await seen(page, "/wallet");
  expect(spent.environment).toBe("live");
  expect(spent.figures.available).toBeLessThan(50_000);

  await test.step("back in test, only unfinished live sales are visible", async () => {
    await live.open();
    await live.goBack(NEW_PIN);
    await expect(live.testMode).toBeVisible();
    await expect(live.main.getByText("Pending: 1")).toBeVisible();
    await expect(live.main.getByText(/5300 9004/)).toBeVisible();
    await expectOnly(page, { digits: TEST_NUMBER, sales: 1, environment: "test" });
    await search(page, LIVE_NUMBER, 0);
    await search(page, TEST_NUMBER, 1);
  });

  await test.step("live again, no test sale is visible", async () => {
    await live.open();
    await expect(live.button("Go live")).toBeEnabled();
    await live.goLive("Tienda Sol", NEW_PIN);
    await expect(live.main.getByRole("heading", { name: "Live mode" })).toBeVisible();
    await expectOnly(page, { digits: LIVE_NUMBER, sales: 5, environment: "live" });
    await search(page, TEST_NUMBER, 0);
    await search(page, LIVE_NUMBER, 1);
  });
  await endShop(provider.gateway);
});

async function changePin(page: Page): Promise<void> {
  const pos = `${new URL(page.url()).origin}/pos`;
  const { staff } = await (await page.request.get(`${pos}/session`)).json();
  const changed = await page.request.patch(`${pos}/staff/${staff.staffId}`, {
    headers: { [OWN_PIN_HEADER]: OWNER_PIN },
    data: { pin: NEW_PIN },
  });
  expect(changed.ok()).toBe(true);
  await expect(page.getByRole("button", { name: "Rosa" })).toBeVisible();
}

// biome-ignore lint/suspicious/noExplicitAny: a journey looks into whatever came.
async function seen(page: Page, path: string): Promise<any> {
  const answer = await page.request.get(`${new URL(page.url()).origin}/pos${path}`);
  expect(answer.ok()).toBe(true);
  return answer.json();
}

interface Expected {
  readonly digits: string;
  readonly sales: number;
  readonly environment: Environment;
}

async function expectOnly(page: Page, { digits, sales, environment }: Expected): Promise<void> {
  const today = await seen(page, "/sales?limit=50&offset=0");
  expect(today.total).toBe(sales);
  expect(JSON.stringify(today.list)).toContain(digits);
  expect((await seen(page, "/z-reports?limit=50&offset=0")).total).toBe(1);
  expect(await seen(page, "/shifts/current")).toEqual({});
  expect((await seen(page, "/wallet")).environment).toBe(environment);
  await page.keyboard.press("F6");
  await expect(page.getByRole("heading", { name: "Sales" })).toBeVisible();
  const rows = page.getByRole("list", { name: /Sales/ }).getByRole("listitem");
  await expect(rows).toHaveCount(sales);
}

async function search(page: Page, digits: string, found: number): Promise<void> {
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: /^Search for anything/ });
  await box.fill(digits);
  await expect(page.getByRole("option", { name: /Sale \d/ })).toHaveCount(found);
  await page.keyboard.press("Escape");
}
