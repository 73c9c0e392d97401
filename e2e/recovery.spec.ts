import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { SignIn } from "./pages/sign-in.ts";

test("a shop is restored from the first screen of a new computer, with its sheet and a backup folder", async ({
  page,
  shop,
  newMachine,
}) => {
  const stick = await mkdtemp(join(tmpdir(), "tillgate-stick-"));
  const { phrase, kitId } = JSON.parse(await shop.admin("recovery", "kit", "--json"));
  await shop.admin("recovery", "confirm", kitId);
  const { file } = JSON.parse(await shop.admin("backup", "now", "--json"));
  await copyFile(file, join(stick, basename(file)));

  await page.goto(newMachine.url);
  await page.getByRole("button", { name: "Restore from a backup" }).click();
  await page.getByLabel("Folder or file on this computer").fill(stick);
  await page.getByRole("button", { name: "Look for backups" }).click();
  await page.getByRole("radio").first().check();
  await page.getByLabel("The twelve words of the recovery sheet").fill("these are not the words");
  await page.getByRole("button", { name: "Open the backup" }).click();
  await expect(page.getByText("A recovery phrase has 12 words; this one has 5.")).toBeVisible();

  await page.getByLabel("The twelve words of the recovery sheet").fill(phrase);
  await page.getByRole("button", { name: "Open the backup" }).click();
  const inside = page.getByRole("region", { name: "The shop in this backup" });
  await expect(inside).toContainText("Tienda Sol");
  await page.getByRole("button", { name: "Restore Tienda Sol" }).click();

  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await new SignIn(page).as("Rosa", OWNER_PIN);
  await expect(page.getByText("Tienda Sol").first()).toBeVisible();
  await rm(stick, { recursive: true });
});
