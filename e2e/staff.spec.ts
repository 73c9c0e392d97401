import { CLERK, expect, OWNER_PIN, test } from "./fixtures.ts";
import { typeOwnPin } from "./pages/sign-in.ts";
import { expectNoFault } from "./support/faultless.ts";
import { asOwner, MARTA } from "./support/owner-session.ts";

const MINUTE_MS = 60_000;

test("a sale over the limit is approved at the till by keyboard, and both names are audited", async ({
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
  await expect(dialog.getByText(/Without approval: up to Q\s?1\.00/)).toBeVisible();
  await expectNoFault(page);

  await page.keyboard.press("m");
  await expect(dialog.getByLabel("Marta’s PIN")).toBeFocused();
  await page.keyboard.type("0000");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Wrong PIN.")).toBeVisible();
  await page.keyboard.type(MARTA.pin);
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(counter.panel.getByText(/\d{15}/).first()).toBeVisible();
  await expect(page.getByRole("button", { name: `Account: ${CLERK.name}` })).toBeVisible();

  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();
  await page.goto(`${shop.url}/#/audit-trail`);
  const entries = page.getByRole("list", { name: "Entries, newest first" });
  const approved = entries.getByRole("listitem").filter({ hasText: "Requested by Ana" });
  await expect(approved).toContainText("Marta");
  await expect(approved).toContainText("Approved: Sale 000001");
  await expect(
    entries.getByRole("listitem").filter({ hasText: "Approved by Marta" }),
  ).toContainText("Ana");
  await expect(entries.getByText("Wrong PIN: Marta")).toBeVisible();
  await expectNoFault(page);
});

test("an idle till locks, and keeps the typed text for the same person", {
  tag: "@thorough",
}, async ({ page, shop, signIn }) => {
  await page.clock.install();
  await page.goto(shop.url);
  await signIn.as(CLERK.name, CLERK.pin);
  const number = page.getByRole("textbox", { name: "Number, name, product or barcode" });
  await expect(number).toBeVisible();
  await page.clock.fastForward(2 * MINUTE_MS);
  await page.keyboard.type("5025123");
  await expect(number).toHaveValue(/502 5123/);
  await page.clock.fastForward(2.5 * MINUTE_MS);
  await expect(number).toBeVisible();
  await page.clock.fastForward(MINUTE_MS);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();

  await signIn.as("Rosa", OWNER_PIN);
  await expect(number).toHaveValue("");
  await page.keyboard.press("F9");
  await signIn.as(CLERK.name, CLERK.pin);
  await expect(number).toHaveValue(/502 5123/);
});

test("training is visible on each screen, sells nothing, and ends when the screen is locked", async ({
  counter,
  page,
  signIn,
}) => {
  await counter.train();
  const banner = page.getByRole("region", { name: "Training" });
  await expect(banner.getByText("Training:", { exact: true })).toBeVisible();
  const box = await banner.boundingBox();
  expect(box?.width).toBe(page.viewportSize()?.width);
  expect(box?.height).toBeGreaterThanOrEqual(32);
  await expect(banner).toContainText("practice sales only. Don’t take payment.");
  const [accent, training] = await page.evaluate(() => {
    const style = getComputedStyle(document.documentElement);
    return [style.getPropertyValue("--accent"), style.getPropertyValue("--training")];
  });
  expect(accent).toBe(training);
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByText(/\d{15}/).first()).toBeVisible();
  await expectNoFault(page);
  await page.screenshot({ path: "artifacts/screens/training.png" });
  await page.keyboard.press("F6");
  await expect(banner).toBeVisible();
  await page.keyboard.press("F7");
  await expect(page.getByText("Training belongs to no shift")).toBeVisible();
  await expect(page.getByLabel("Wallet")).toHaveCount(0);

  await page.keyboard.press("F9");
  await signIn.as(CLERK.name, CLERK.pin);
  await counter.isReady();
  await expect(banner).toHaveCount(0);
  await page.keyboard.press("F6");
  await expect(page.getByText("No sales yet today")).toBeVisible();
});

test("an owner sets a clerk's permissions and the actions that need an approval", {
  tag: "@thorough",
}, async ({ counter, page, signIn }) => {
  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();
  await page.goto(`${new URL(page.url()).origin}/#/staff`);
  await page.getByRole("button", { name: "Permissions of Ana" }).click();
  const dialog = page.getByRole("dialog");
  await expectNoFault(page);
  await dialog.getByRole("switch", { name: "Print a receipt again" }).press("Space");
  await dialog.getByLabel("One sale (GTQ)").fill("0.505");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByLabel("One sale (GTQ)")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("One sale (GTQ)").fill("250.50");
  await page.screenshot({ path: "artifacts/screens/rights.png" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await typeOwnPin(page, OWNER_PIN);
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Permissions of Ana" }).click();
  await expect(dialog.getByLabel("One sale (GTQ)")).toHaveValue("250.50");
  await expect(dialog.getByRole("switch", { name: "Print a receipt again" })).not.toBeChecked();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Audit trail" }).click();
  await expect(page.getByText("Changed the limits: Ana")).toBeVisible();
  await page.screenshot({ path: "artifacts/screens/audit.png" });
});
