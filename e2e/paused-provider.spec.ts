import { expect, test } from "./fixtures.ts";

const STOPPED = /^Paused by the owner since .+\. It cannot be sold now\.$/;

test("a brand paused by the owner is marked in every family, and cannot be sold", {
  tag: "@thorough",
}, async ({ counter, page, shop }) => {
  for (const brand of ["TIGO", "CEMACO", "EEGSA", "AIRALO"]) {
    await shop.admin("brands", "pause", brand, "--env", "test");
  }
  const stopped = counter.primary(/Paused\. Choose another product\./);

  await test.step("a top-up shows the pause beside the carrier, before any offer", async () => {
    await counter.type("50251234567");
    await expect(page.getByText(STOPPED)).toBeVisible();
    await expect(stopped).toBeDisabled();
    await counter.press("Enter");
    await expect(counter.number).toBeVisible();
  });

  await test.step("a different carrier can be sold", async () => {
    await counter.press("Alt+c");
    await expect(counter.tile(/Tigo/)).toContainText("Paused by the owner");
    await page.getByRole("button", { name: /Claro/ }).click();
    await expect(counter.tile(/Q 25\b/)).toBeVisible();
    await expect(stopped).toHaveCount(0);
  });

  await test.step("a gift card and a bill show the pause", async () => {
    for (const [key, letters, name] of [
      ["F2", "cem", "Cemaco"],
      ["F4", "eeg", "EEGSA"],
    ] as const) {
      await counter.press(key);
      await expect(counter.tile(new RegExp(name))).toContainText("Paused by the owner");
      await counter.type(letters);
      await expect(counter.primary(`Continue with ${name}`)).toBeEnabled();
      await counter.press("Enter");
      await expect(counter.panel.getByText(STOPPED)).toBeVisible();
      await expect(stopped).toBeDisabled();
    }
  });

  await test.step("an eSIM shows the pause on the plans of that brand", async () => {
    await counter.press("F3");
    await expect(page.getByRole("heading", { name: "Choose a destination" })).toBeVisible();
    await counter.type("spa");
    await expect(counter.primary(/Continue with Spain/)).toBeEnabled();
    await counter.press("Enter");
    await expect(counter.tile(/Paused by the owner/).first()).toBeVisible();
  });

  await test.step("the brand is sold again after it is resumed", async () => {
    await shop.admin("brands", "resume", "CEMACO", "--env", "test");
    await counter.press("F2");
    await expect(counter.panel.getByText(STOPPED)).toHaveCount(0);
    await counter.press("1");
    await expect(counter.primary(/Take payment/)).toBeEnabled();
  });
});
