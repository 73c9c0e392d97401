/** A provider that is slow, or that the owner paused, is shown before the sale. */
import { expect, test } from "./fixtures.ts";
import { failFiveTimes } from "./support/slow-provider.ts";

const SLOW = /^Slow since .+\. Sales will be queued and sent when it is back\.$/;
const STOPPED = /^Paused by the owner since .+\. It cannot be sold now\.$/;

test("the provider becomes slow while the clerk sells: told at once, sold, queued, delivered", async ({
  counter,
  page,
  shop,
}) => {
  const notice = page.getByText(SLOW);
  await counter.type("50251234567");
  await expect(page.getByText("Tigo (detected)")).toBeVisible();
  await expect(notice).toHaveCount(0);

  await test.step("the notice comes by itself, and the button stays where it is", async () => {
    const button = page.getByRole("button", { name: /Show offers/ });
    const before = await button.boundingBox();
    await failFiveTimes(page, shop);
    await expect(notice).toBeVisible();
    expect(await button.boundingBox()).toEqual(before);
  });

  await test.step("the sale is possible, and told to wait up to the payment", async () => {
    await counter.press("Enter");
    await expect(counter.tile(/Q 5\b/).first()).toBeVisible();
    await expect(counter.panel.getByText(SLOW)).toBeVisible();
    await counter.press("1");
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await expect(counter.panel.getByText(SLOW)).toBeVisible();
    await counter.press("Enter");
  });

  await test.step("it waits, and is not to be sold again", async () => {
    await expect(counter.panel.getByText("Still being sent").first()).toBeVisible();
    await expect(
      counter.panel.getByText(/^It waits in the queue.+ Do not sell it again\. Keep the money\./),
    ).toBeVisible();
  });

  await test.step("the pause ends: the notice goes, and it is delivered", async () => {
    await counter.type("50251234568");
    await expect(notice).toBeVisible();
    await shop.admin("brands", "resume", "TIGO", "--env", "test");
    await expect(notice).toHaveCount(0);
    // The gateway looks every half minute for what another process asked of it.
    await expect(counter.panel.getByText("Delivered").first()).toBeVisible({ timeout: 60_000 });
  });
});

test("what the owner paused is said at the brand, in every family, and is not sold", async ({
  counter,
  page,
  shop,
}) => {
  for (const brand of ["TIGO", "CEMACO", "EEGSA", "AIRALO"]) {
    await shop.admin("brands", "pause", brand, "--env", "test");
  }
  const stopped = counter.primary(/Paused: cannot be sold now/);

  await test.step("a top-up: beside the carrier, before any offer", async () => {
    await counter.type("50251234567");
    await expect(page.getByText(STOPPED)).toBeVisible();
    await expect(stopped).toBeDisabled();
    await counter.press("Enter");
    await expect(counter.number).toBeVisible();
  });

  await test.step("another carrier can be sold", async () => {
    await counter.press("Alt+c");
    await expect(counter.tile(/Tigo/)).toContainText("Paused by the owner");
    await page.getByRole("button", { name: /Claro/ }).click();
    await expect(counter.tile(/Q 25\b/)).toBeVisible();
    await expect(stopped).toHaveCount(0);
  });

  await test.step("a gift card, a bill", async () => {
    for (const [key, letters, name] of [
      ["F2", "cem", "Cemaco"],
      ["F4", "eeg", "EEGSA"],
    ] as const) {
      await counter.press(key);
      await expect(counter.tile(new RegExp(name))).toContainText("Paused by the owner");
      await counter.type(letters);
      await expect(counter.primary(`Go on with ${name}`)).toBeEnabled();
      await counter.press("Enter");
      await expect(counter.panel.getByText(STOPPED)).toBeVisible();
      await expect(stopped).toBeDisabled();
    }
  });

  await test.step("an eSIM: on the plans of that brand", async () => {
    await counter.press("F3");
    await expect(page.getByRole("heading", { name: "Where to?" })).toBeVisible();
    await counter.type("spa");
    await expect(counter.primary(/Go on with Spain/)).toBeEnabled();
    await counter.press("Enter");
    await expect(counter.tile(/Paused by the owner/).first()).toBeVisible();
  });

  await test.step("until it is resumed", async () => {
    await shop.admin("brands", "resume", "CEMACO", "--env", "test");
    await counter.press("F2");
    await expect(counter.panel.getByText(STOPPED)).toHaveCount(0);
    await counter.press("1");
    await expect(counter.primary(/Take payment/)).toBeEnabled();
  });
});
