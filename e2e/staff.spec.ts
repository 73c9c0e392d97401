/** People at the till: an override in place, limits, a quick switch, the idle lock and training. */
import AxeBuilder from "@axe-core/playwright";
import type { APIRequestContext, Page } from "@playwright/test";
import { CLERK, expect, OWNER_PIN, type ShopProcess, test } from "./fixtures.ts";

const MARTA = { name: "Marta", pin: "8642" };
const MINUTE_MS = 60_000;

/** Rosa, the owner, in a session beside the browser's. */
async function asOwner(request: APIRequestContext, { url }: ShopProcess) {
  const names = await (await request.get(`${url}/pos/staff/names`)).json();
  const idOf = (name: string): string =>
    names.list.find((person: { name: string }) => person.name === name).staffId;
  const body = { staffId: idOf("Rosa"), pin: OWNER_PIN };
  expect((await request.post(`${url}/pos/session`, { data: body })).ok()).toBe(true);
  return {
    async hireMarta(): Promise<void> {
      const data = { ...MARTA, role: "supervisor" };
      expect((await request.post(`${url}/pos/staff`, { data })).ok()).toBe(true);
    },
    async changeAna(data: object): Promise<void> {
      const ana = `${url}/pos/staff/${idOf(CLERK.name)}`;
      expect((await request.patch(ana, { data })).ok()).toBe(true);
    },
  };
}

async function expectNoFault(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
}

test("a sale over the limit is approved in place, by keyboard, and both names are on the trail", async ({
  counter,
  page,
  shop,
  request,
  signIn,
}) => {
  const owner = await asOwner(request, shop);
  await owner.hireMarta();
  await owner.changeAna({ limits: { perSale: 100 } });
  await counter.sellFirstOffer("50251234567");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/A sale of Q/)).toBeVisible();
  await expect(dialog.getByText(/By yourself, up to Q\s?1\.00/)).toBeVisible();
  await expectNoFault(page);

  await page.keyboard.press("m");
  await expect(dialog.getByLabel("PIN of Marta")).toBeFocused();
  await page.keyboard.type("0000");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("That PIN is not right.")).toBeVisible();
  await page.keyboard.type(MARTA.pin);
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(counter.panel.getByText(/\d{15}/).first()).toBeVisible();
  await expect(page.getByText(`${CLERK.name} · Clerk`)).toBeVisible();

  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();
  await page.goto(`${shop.url}/#/audit-trail`);
  const entries = page.getByRole("list", { name: "Entries, newest first" });
  const approved = entries.getByRole("listitem").filter({ hasText: "Asked for by Ana" });
  await expect(approved).toContainText("Marta");
  await expect(approved).toContainText("Approved: Sale 000001");
  await expect(
    entries.getByRole("listitem").filter({ hasText: "Approved by Marta" }),
  ).toContainText("Ana");
  await expect(entries.getByText("Wrong PIN for: Marta")).toBeVisible();
  await expectNoFault(page);
});

test("nobody approves: nothing is sold and nothing is lost", async ({
  counter,
  page,
  shop,
  request,
}) => {
  const owner = await asOwner(request, shop);
  await owner.changeAna({ limits: { perProduct: { TOPUP: 100 } } });
  await counter.sellFirstOffer("50251234567");
  await expect(page.getByText("Ask Rosa to approve")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Somebody else has to approve this.")).toBeVisible();
  await expect(page.getByText("+502 5123 4567").first()).toBeVisible();
});

test("money is given back with somebody's approval where the clerk may not", async ({
  counter,
  page,
  shop,
  request,
}) => {
  const owner = await asOwner(request, shop);
  await owner.changeAna({ ownRights: { giveBack: false } });
  await counter.sellFirstOffer("50251239001");
  const book = counter.panel.getByRole("button", { name: /Q 5\.43 given back/ });
  await expect(book).toBeVisible();
  await page.keyboard.press("Alt+g");
  await expect(page.getByRole("textbox", { name: "PIN of Rosa" })).toBeFocused();
  await page.keyboard.type(OWNER_PIN);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(book).toHaveCount(0);
  await expect(page.getByText(`${CLERK.name} · Clerk`)).toBeVisible();
});

test("the next person is in with seven keys and no mouse", async ({ counter, page }) => {
  const keys = ["F9", "2", ...OWNER_PIN.split(""), "Enter"];
  expect(keys).toHaveLength(7);
  for (const key of keys) {
    await page.keyboard.press(key);
    // The lock is on the screen at once; the faces come from the gateway.
    if (key === "F9") await expect(page.getByRole("button", { name: "Rosa" })).toBeVisible();
  }
  await expect(page.getByText("Rosa · Owner")).toBeVisible();
  await counter.isReady();
  await page.keyboard.press("F9");
  await expect(page.getByRole("button", { name: "Ana" })).toBeVisible();
  await page.keyboard.press("a");
  await page.keyboard.type(CLERK.pin);
  await page.keyboard.press("Enter");
  await expect(page.getByText(`${CLERK.name} · Clerk`)).toBeVisible();
});

test("a till that nobody touches locks, and what was typed waits for the same person", async ({
  page,
  shop,
  signIn,
}) => {
  await page.clock.install();
  await page.goto(shop.url);
  await signIn.as(CLERK.name, CLERK.pin);
  const number = page.getByRole("textbox", { name: "Phone number" });
  await expect(number).toBeVisible();
  await page.clock.fastForward(2 * MINUTE_MS);
  await page.keyboard.type("5025123");
  await expect(number).toHaveValue(/502 5123/);
  await page.clock.fastForward(2.5 * MINUTE_MS);
  await expect(number).toBeVisible();
  await page.clock.fastForward(MINUTE_MS);
  await expect(page.getByText("Who is selling?")).toBeVisible();

  await signIn.as("Rosa", OWNER_PIN);
  await expect(number).toHaveValue("");
  await page.keyboard.press("F9");
  await signIn.as(CLERK.name, CLERK.pin);
  await expect(number).toHaveValue(/502 5123/);
});

test("training cannot be missed, sells nothing and ends with the sign-in", async ({
  counter,
  page,
  signIn,
}) => {
  await counter.train();
  const banner = page.getByRole("region", { name: "Training" });
  await expect(banner.getByText("TRAINING", { exact: true })).toBeVisible();
  const box = await banner.boundingBox();
  expect(box?.width).toBe(page.viewportSize()?.width);
  expect(box?.height).toBeGreaterThan(50);
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByText(/\d{15}/).first()).toBeVisible();
  await expectNoFault(page);
  await page.screenshot({ path: "artifacts/screens/training.png" });
  await page.keyboard.press("F6");
  await expect(banner).toBeVisible();

  await page.keyboard.press("F9");
  await signIn.as(CLERK.name, CLERK.pin);
  await counter.isReady();
  await expect(banner).toHaveCount(0);
});

test("an owner sets what a clerk may do, and what takes an approval", async ({
  counter,
  page,
  signIn,
}) => {
  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();
  await page.goto(`${new URL(page.url()).origin}/#/staff`);
  await page.getByRole("button", { name: "Rights and limits of Ana" }).click();
  const dialog = page.getByRole("dialog");
  await expectNoFault(page);
  await dialog.getByRole("switch", { name: "Print a receipt again" }).press("Space");
  await dialog.getByLabel("One sale (GTQ)").fill("0.505");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByLabel("One sale (GTQ)")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("One sale (GTQ)").fill("250.50");
  await page.screenshot({ path: "artifacts/screens/rights.png" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Rights and limits of Ana" }).click();
  await expect(dialog.getByLabel("One sale (GTQ)")).toHaveValue("250.50");
  await expect(dialog.getByRole("switch", { name: "Print a receipt again" })).not.toBeChecked();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Audit trail" }).click();
  await expect(page.getByText("Changed the limits: Ana")).toBeVisible();
  await page.screenshot({ path: "artifacts/screens/audit.png" });
});
