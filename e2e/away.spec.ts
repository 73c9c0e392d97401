/** A gateway that does not answer: each screen says so and asks again, and none loads for ever. */
import type { Page } from "@playwright/test";
import { CLERK, expect, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { SignIn } from "./pages/sign-in.ts";

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

test("what was not fetched before the gateway went away is there once it is back", {
  tag: "@thorough",
}, async ({ page, shop }) => {
  // The page never has a moment for what it fetches ahead.
  await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }));
  await page.goto(shop.url);
  await new SignIn(page).as(CLERK.name, CLERK.pin);
  const counter = new Counter(page);
  await counter.isReady();
  // What the menu brings with it is there; what is being fetched while the gateway goes stays lost.
  await page.waitForLoadState("load");
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => /dialog-layer-.*js/.test(name)),
  );
  await shop.kill();
  await expect(page.getByText("Reconnecting…").first()).toBeVisible();
  await counter.press("F6");
  await expect(counter.number).toHaveCount(0);
  await shop.start();
  await expect(page.getByText("No sales yet today")).toBeVisible();
});

test("a till whose first questions are answered with a fault says so, and opens once they are answered", async ({
  page,
  shop,
}) => {
  let isBusy = true;
  await page.route(/\/pos\/(status|session)$/, async (route) => {
    if (!isBusy) return route.continue();
    const errorCode = "SYSTEM_UNAVAILABLE";
    await route.fulfill({ status: 503, json: { errorCode, message: "Too busy", fields: {} } });
  });
  await page.goto(shop.url);
  await expect(page.getByRole("heading", { name: "The till is reconnecting" })).toBeVisible();
  isBusy = false;
  await expect(page.getByRole("button", { name: CLERK.name })).toBeVisible();
});
