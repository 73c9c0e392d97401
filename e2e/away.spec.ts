/** A gateway that does not answer: each screen says so and asks again, and none loads for ever. */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

const WORDS = "The shop’s gateway does not answer.";

/** What is asked from now on is not answered, until it is called. */
async function lose(page: Page, asked: RegExp): Promise<() => Promise<void>> {
  await page.route(asked, (route) => route.abort());
  return () => page.unroute(asked);
}

test("the walls, today and the shift say that the gateway does not answer, and come back when asked", async ({
  counter,
  page,
}) => {
  const main = page.getByRole("main");
  const retry = page.getByRole("button", { name: "Try again" });
  const findGateway = await lose(page, /\/pos\/(brands|esim-destinations|sales|shifts|staff)/);
  for (const key of ["F2", "F3", "F4", "F6", "F7"]) {
    await counter.press(key);
    await expect(main.getByText(WORDS)).toBeVisible();
    await expect(retry).toBeVisible();
    await expect(page.locator("main .mantine-Skeleton-root")).toHaveCount(0);
  }
  await findGateway();
  await retry.click();
  await expect(main.getByText(WORDS)).toHaveCount(0);
  await counter.press("F2");
  await expect(page.locator("[data-own-keys] button").first()).toBeVisible();
});

test("an approval says that the list of approvers is not there, and asks for it again", async ({
  counter,
  page,
}) => {
  const findGateway = await lose(page, /\/pos\/approvers/);
  await counter.chooseTopup("50251234567", "5");
  await counter.press("d");
  await counter.type("1");
  await counter.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(WORDS)).toBeVisible();
  await findGateway();
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect(dialog.locator("input")).toBeVisible();
});
