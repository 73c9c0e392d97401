import type { Page } from "@playwright/test";
import { CLERK, expect, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { SignIn } from "./pages/sign-in.ts";

const WORDS = "Can’t reach the Tillgate server.";

/** Aborts matching requests until the returned function is called. */
async function lose(page: Page, asked: RegExp): Promise<() => Promise<void>> {
  await page.route(asked, (route) => route.abort());
  return () => page.unroute(asked);
}

test("the pickers, the Sales screen and the shift screen report an unreachable gateway, offer a retry, and recover", {
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

test("an approval reports a missing list of approvers, and shows the list when it arrives", {
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

test("a till loads its missing scripts after the gateway is back", {
  tag: "@thorough",
}, async ({ page, shop }) => {
  // Prevents the page from loading scripts ahead in idle time.
  await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }));
  await page.goto(shop.url);
  await new SignIn(page).as(CLERK.name, CLERK.pin);
  const counter = new Counter(page);
  await counter.isReady();
  // Waits for the scripts of a sign-in: a script that is loading when the gateway stops stays
  // missing.
  await page.waitForLoadState("load");
  await page.waitForFunction(() => {
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    const links = document.querySelectorAll<HTMLLinkElement>(
      "link[rel=modulepreload], link[rel=stylesheet]",
    );
    return (
      loaded.some((name) => /own-pin-dialog-.*\.js/.test(name)) &&
      Array.from(links).every(({ href }) => loaded.includes(href))
    );
  });
  await shop.kill();
  await expect(page.getByText("Reconnecting…").first()).toBeVisible();
  await counter.press("F6");
  await expect(page.getByRole("heading", { name: "This screen has not loaded" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  await shop.start();
  await expect(page.getByText("No sales yet today")).toBeVisible();
});

test("a till reports errors of its first requests, and opens when they succeed", async ({
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
  await expect(page.getByRole("heading", { name: "Reconnecting…" })).toBeVisible();
  isBusy = false;
  await expect(page.getByRole("button", { name: CLERK.name })).toBeVisible();
});
