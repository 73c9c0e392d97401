/** A gateway that does not answer: each screen says so and asks again, and none loads for ever. */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

const WORDS = "The shop’s gateway does not answer.";

/** Requests from now on are not answered, until it is called. */
async function lose(page: Page, asked: RegExp): Promise<() => Promise<void>> {
  await page.route(asked, (route) => route.abort());
  return () => page.unroute(asked);
}

test("the pickers, today and the shift say that the gateway does not answer, offer to ask again, and come back", {
  tag: "@thorough",
}, async ({ counter, page }) => {
  const main = page.getByRole("main");
  const retry = main.getByRole("button", { name: "Try again" }).first();
  const findGateway = await lose(page, /\/pos\/(brands|esim-destinations|sales|shifts|staff)/);
  for (const key of ["F2", "F3", "F4", "F6", "F7"]) {
    await counter.press(key);
    await expect(main.getByText(WORDS)).toBeVisible();
    await expect(retry).toBeVisible();
    await expect(page.locator("main .mantine-Skeleton-root")).toHaveCount(0);
  }
  await findGateway();
  await expect(main.getByText(WORDS)).toHaveCount(0);
  await counter.press("F2");
  await expect(page.locator("[data-own-keys] button").first()).toBeVisible();
});

test("an approval says that the list of approvers is not there, and has it as soon as it is", {
  tag: "@thorough",
}, async ({ counter, page }) => {
  const findGateway = await lose(page, /\/pos\/approvers/);
  await counter.chooseTopup("50251234567", "5");
  await counter.press("d");
  await counter.type("1");
  await counter.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(WORDS)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Try again" })).toBeVisible();
  await findGateway();
  await expect(dialog.locator("input")).toBeVisible();
});
