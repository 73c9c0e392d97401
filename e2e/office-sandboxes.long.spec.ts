import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { expectNoFault } from "./support/faultless.ts";

test("an owner creates a sandbox, moves its clock, sets its wallet, and deletes it", async ({
  counter,
  page,
  shop,
  signIn,
}) => {
  const main = page.getByRole("main");
  const rows = main.getByRole("list", { name: "Sandboxes" }).getByRole("listitem");
  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();
  await page.keyboard.press("Alt+b");
  await page.getByRole("link", { name: "Sandboxes" }).click();
  await expect(main.getByText("No sandboxes yet.")).toBeVisible();

  await test.step("an impossible name is refused at its field", async () => {
    const name = main.getByRole("textbox", { name: /^Name/ });
    await name.fill("a b");
    await main.getByRole("button", { name: "Create sandbox" }).click();
    await expect(name).toHaveAttribute("aria-invalid", "true");
    await name.fill("ci");
    await main.getByRole("button", { name: "Create sandbox" }).click();
    await expect(main.locator("[data-secret]").first()).toHaveText(/^sandbox_/);
    await expect(rows).toHaveCount(1);
    await expectNoFault(page);
  });

  await test.step("the clock advances by a day", async () => {
    const key = await main.locator("[data-secret]").first().innerText();
    const read = async () => {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await page.request.get(`${shop.url}/sandbox/v1/clock`, { headers });
      return Date.parse((await answer.json()).now);
    };
    const before = await read();
    await rows.getByRole("button", { name: /Advance 24 hours/ }).click();
    await expect.poll(read).toBeGreaterThanOrEqual(before + 24 * 60 * 60_000);
    await expectNoFault(page);
  });

  await test.step("the list of scenarios is open to assistive technology", async () => {
    await rows.getByRole("combobox", { name: "Scenario" }).click();
    await expect(page.getByRole("option").first()).toBeVisible();
    await expectNoFault(page);
    await page.keyboard.press("Escape");
  });

  await test.step("the wallet gets a new balance", async () => {
    await rows.getByRole("button", { name: "Wallet of ci" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill("12.5");
    await expectNoFault(page);
    await dialog.getByRole("button", { name: "Set the amount" }).click();
    await expect(dialog).toBeHidden();
    await rows.getByRole("button", { name: "Wallet of ci" }).click();
    await expect(dialog.getByText("12.50")).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await test.step("a deleted sandbox disappears after a confirmation", async () => {
    await rows.getByRole("button", { name: "Delete ci" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect(main.getByText("No sandboxes yet.")).toBeVisible();
    await expectNoFault(page);
  });
});
