import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { holdAnswers } from "../support/answers.ts";
import { layoutShifts, waitUntilInputIsOver } from "../support/layout-shift.ts";
import { confirm, openShop, press, tile, typeNumber } from "../support/look-shop.ts";
import { LANGUAGES, lookAt } from "../support/looks.ts";

async function lookWhileHeld(
  page: Page,
  name: string,
  { path, open, arrived }: { path: RegExp; open(): Promise<void>; arrived(): Promise<void> },
): Promise<void> {
  const release = await holdAnswers(page, path);
  await open();
  await lookAt(page, `loading-${name}`);
  // Waits, because browsers ignore layout shifts directly after a key or a resize.
  await waitUntilInputIsOver(page);
  const before = (await layoutShifts(page)).told.length;
  release();
  await arrived();
  expect.soft((await layoutShifts(page)).told.slice(before), `${name} jumps`).toEqual([]);
  await page.unrouteAll({ behavior: "wait" });
}

test("loading: the counter", async ({ page, freshShop }) => {
  await openShop(page, freshShop, { language: "en" });
  await lookWhileHeld(page, "counter", {
    path: /\/pos\/recents/,
    open: async () => void (await page.reload()),
    arrived: () => expect(page.getByText("Delivered", { exact: true }).first()).toBeVisible(),
  });
  await lookWhileHeld(page, "checking-number", {
    path: /\/pos\/phone/,
    open: () => page.keyboard.type("50251234567"),
    arrived: () => expect(page.getByText(/Guatemala/).last()).toBeVisible(),
  });
  await lookWhileHeld(page, "offers", {
    path: /\/pos\/offers/,
    open: () => press(page, "Enter"),
    arrived: () => expect(tile(page, 1)).toBeVisible(),
  });
  await lookWhileHeld(page, "brands", {
    path: /\/pos\/brands/,
    open: () => press(page, "F2"),
    arrived: () => expect(page.getByText("Cemaco")).toBeVisible(),
  });
  await lookWhileHeld(page, "destinations", {
    path: /\/pos\/esim-destinations/,
    open: () => press(page, "F3"),
    arrived: () => expect(tile(page, 1)).toBeVisible(),
  });
});

test("loading: the other screens", async ({ page, freshShop }) => {
  await openShop(page, freshShop, { language: "en" });
  await lookWhileHeld(page, "today", {
    path: /\/pos\/sales\?/,
    open: () => press(page, "F6"),
    arrived: () => expect(page.getByText("No sales yet today")).toBeVisible(),
  });
  await lookWhileHeld(page, "shift", {
    path: /\/pos\/shifts/,
    open: () => press(page, "F7"),
    arrived: () => expect(page.locator("main dl").first()).toBeVisible(),
  });
  await lookWhileHeld(page, "staff", {
    path: /\/pos\/staff/,
    open: () => press(page, "F10"),
    arrived: () => expect(page.getByText("Rosa").last()).toBeVisible(),
  });
  await lookWhileHeld(page, "audit-trail", {
    path: /\/pos\/audit-trail/,
    open: () => page.getByRole("button", { name: "Audit trail" }).click(),
    arrived: () => expect(page.getByText("Signed in").first()).toBeVisible(),
  });
  await lookWhileHeld(page, "printing", {
    path: /\/pos\/printers/,
    open: async () => void (await page.goto(`${freshShop.url}/#/printing`)),
    arrived: () => expect(page.getByText("No network printers yet.")).toBeVisible(),
  });
});

function unanswered(page: Page): Locator {
  return page.locator("main [data-state=UNANSWERED]");
}

for (const language of LANGUAGES) {
  test(`slow: the till names the work that it waits for, ${language}`, async ({
    page,
    freshShop,
  }) => {
    await openShop(page, freshShop, { language });
    await typeNumber(page, "50251234567");
    await press(page, "2");
    await expect(confirm(page)).toBeVisible();
    const release = await holdAnswers(page, /\/pos\/sales$/);
    await press(page, "Enter");
    await expect(unanswered(page)).toBeVisible();
    await lookAt(page, `slow-sale-${language}`);
    release();
    await expect(page.locator("div[data-outcome=DELIVERED]")).toBeVisible();

    const releaseStart = await holdAnswers(page, /\/pos\/(?:status|session)/);
    await page.reload();
    await lookAt(page, `slow-start-${language}`);
    releaseStart();
    await expect(page.locator("main input[inputmode=tel]")).toBeVisible();
  });

  test(`offline: every screen reports it, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `offline-${name}-${language}`);
    await openShop(page, freshShop, { language });
    await typeNumber(page, "50251234567");
    await press(page, "2");
    await expect(confirm(page)).toBeVisible();
    await freshShop.kill();
    await expect(page.locator("[data-tone=offline]").first()).toBeVisible();
    await look("confirm");
    await press(page, "Enter");
    await expect(unanswered(page)).toBeVisible();
    await look("paid");
    await press(page, "F2");
    await expect(page.getByRole("alert").first()).toBeVisible();
    await look("brands");
    await press(page, "F6");
    await expect(page.locator("main h1")).toBeVisible();
    await look("today");
    await press(page, "F10");
    await expect(page.locator("main h1")).toBeVisible();
    await look("staff");
    await press(page, "F7");
    await expect(page.locator("main h1")).toBeVisible();
    await look("shift");
    await press(page, "F9");
    await expect(page.locator("main h1")).toBeVisible();
    await look("sign-in");
    await freshShop.start();
    await expect(page.getByRole("button", { name: "Rosa" })).toBeVisible();
  });
}
