import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { SignIn } from "./pages/sign-in.ts";

test("a shop is restored from the first screen of a new computer, with its recovery sheet and a backup folder", async ({
  page,
  shop,
  newMachine,
}) => {
  const stick = await mkdtemp(join(tmpdir(), "tillgate-stick-"));
  await page.goto(shop.url);
  await new SignIn(page).as("Rosa", OWNER_PIN);
  const counter = new Counter(page);
  await counter.isReady();
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();

  const phrase =
    await test.step("the owner makes the sheet and copies a backup to a stick", async () => {
      await page.goto(`${shop.url}/#/office/settings`);
      await page.getByRole("button", { name: "Backups" }).click();
      await page.getByRole("button", { name: "Make the recovery sheet" }).click();
      const dialog = page.getByRole("dialog", { name: "Recovery sheet" });
      await dialog.getByLabel("Your PIN").fill(OWNER_PIN);
      await dialog.getByRole("button", { name: "Make the recovery sheet" }).click();
      const words = dialog.getByRole("region", { name: "Recovery sheet" }).getByRole("listitem");
      await expect(words).toHaveCount(12);
      const sheet = (await words.allTextContents()).join(" ");
      await dialog.getByRole("button", { name: "I have stored the sheet" }).click();
      await page.getByRole("textbox", { name: "Folder" }).fill(stick);
      await page.getByRole("button", { name: "Copy there" }).click();
      await page.getByRole("button", { name: "Make a backup now" }).click();
      await expect(page.getByText(/books balance/)).toBeVisible({ timeout: 60_000 });
      await expect(page.getByText("Every backup is there, too.")).toBeVisible({ timeout: 60_000 });
      return sheet;
    });
  await shop.stop();

  await page.goto(newMachine.url);
  await page.getByRole("button", { name: "Restore from a backup" }).click();
  await page.getByLabel("Folder or file on this computer").fill(stick);
  await page.getByRole("button", { name: "Find backups" }).click();
  await page.getByRole("radio").first().check();
  await page.getByLabel("The twelve words of the recovery sheet").fill("these are not the words");
  await page.getByRole("button", { name: "Open the backup" }).click();
  await expect(page.getByText("The recovery sheet has twelve words. Entered: 5.")).toBeVisible();

  await page.getByLabel("The twelve words of the recovery sheet").fill(phrase);
  const drawer = `${stick}-in-the-drawer`;
  await rename(stick, drawer);
  await page.getByRole("button", { name: "Open the backup" }).click();
  await expect(page.getByText("The backup can’t be read any more.")).toBeVisible();
  await rename(drawer, stick);
  await page.getByRole("button", { name: "Open the backup" }).click();
  const inside = page.getByRole("region", { name: "The shop in this backup" });
  await expect(inside).toContainText("Tienda Sol");
  await page.getByRole("button", { name: "Restore Tienda Sol" }).click();

  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await new SignIn(page).as("Rosa", OWNER_PIN);
  await expect(page.getByText("Tienda Sol").first()).toBeVisible();
  await page.goto(`${newMachine.url}/#/sales`);
  await expect(page.getByText("+502 5123 4567").first()).toBeVisible();
  await rm(stick, { recursive: true });
});
