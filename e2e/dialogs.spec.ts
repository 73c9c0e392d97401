import type { Page } from "@playwright/test";
import { CLERK, expect, OWNER_PIN, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { account } from "./pages/sign-in.ts";

/**
 * Expects that Tab and Shift+Tab stay inside the dialog, and that keys of the counter do nothing.
 */
async function holdsKeysAndFocus(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  const isInside = () =>
    page.evaluate(() => document.activeElement?.closest("[role=dialog]") !== null);
  await expect.poll(isInside).toBe(true);
  for (const key of [...Array(8).fill("Tab"), ...Array(8).fill("Shift+Tab")]) {
    await page.keyboard.press(key);
    expect(await isInside()).toBe(true);
  }
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  const address = page.url();
  for (const key of ["F2", "F6", "F8", "Alt+h", "Alt+1", "Alt+c", "Control+k"]) {
    await page.keyboard.press(key);
  }
  expect(page.url()).toBe(address);
  await expect(dialog).toHaveCount(1);
}

test("no key sells while the approval dialog is shown", async ({ counter, page, shop }) => {
  await counter.chooseTopup("50251234567", "5");
  await counter.press("d");
  await page.keyboard.type("50%");
  await counter.press("Enter");
  const dialog = page.getByRole("dialog");
  await holdsKeysAndFocus(page);
  await dialog.getByRole("textbox", { name: "Rosa’s PIN" }).focus();
  await page.keyboard.type("1111");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Wrong PIN.")).toBeVisible();

  await test.step("Escape closes the dialog, and the confirm step below stays", async () => {
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole("region", { name: "Confirm with the customer" })).toBeVisible();
    await expect(page.getByRole("textbox", { name: /Cash/ })).toBeFocused();
  });
  const { total } = await shop.v1("/topups/purchases?_limit=10&_offset=0");
  expect(total).toBe(0);
});

for (const [open, name, text] of [
  ["Control+k", /Search/, "netf"],
  ["Alt+o", "Reason", "change"],
] as const) {
  test(`text typed after ${open} while the dialog is loading goes only into the dialog`, async ({
    page,
    shop,
    signIn,
  }) => {
    let bring: (() => void) | undefined;
    const isAsked = new Promise<void>((asked) => {
      void page.route(/assets\/(sellers-palette|movement-form)-/, async (route) => {
        asked();
        await new Promise<void>((brought) => (bring = brought));
        await route.continue();
      });
    });
    await page.goto(shop.url);
    await signIn.as(CLERK.name, CLERK.pin);
    const counter = new Counter(page);
    await counter.isReady();
    await isAsked;
    await page.keyboard.press(open);
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    bring?.();
    const dialog = page.getByRole("dialog");
    await expect(dialog.locator("input, textarea").first()).toHaveValue(text);
    await expect(dialog.locator("input, textarea").first()).toBeFocused();
    await expect(dialog).toContainText(name);
    await page.keyboard.press("Escape");
    await expect(counter.number).toHaveValue("");
  });
}

test("every dialog holds keys and focus, Escape closes only the dialog, and the focus returns", {
  tag: "@thorough",
}, async ({ counter, page, signIn }) => {
  const dialog = page.getByRole("dialog");
  const gone = async () => {
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  };

  await test.step("dialogs over the counter hold keys and focus", async () => {
    for (const open of ["Alt+o", "Control+k"]) {
      await expect(counter.number).toBeFocused();
      await page.keyboard.press(open);
      await holdsKeysAndFocus(page);
      await gone();
      await expect(counter.number).toBeFocused();
    }
    const button = account(page, CLERK.name);
    await button.focus();
    await page.keyboard.press("Enter");
    await holdsKeysAndFocus(page);
    await gone();
    await expect(button).toBeFocused();
    for (const name of ["Customer display", "Keyboard shortcuts"]) {
      await counter.openFromAccount(name);
      await expect(page.getByRole("dialog", { name })).toBeVisible();
      await holdsKeysAndFocus(page);
      await gone();
      // After a dialog of the account menu has closed, typed keys reach the counter again.
      await counter.type("5");
      await expect(counter.number).toHaveValue("5");
      await counter.press("Escape");
    }
  });

  await test.step("the person turns single-key shortcuts off and on again", async () => {
    const toggle = page.getByRole("switch", { name: /Use single letters/ });
    await counter.openFromAccount("Keyboard shortcuts");
    await toggle.press("Space");
    await gone();
    await counter.press("F2");
    await expect(counter.tile(/Cemaco/)).toBeVisible();
    await counter.press("1");
    await expect(page.getByRole("textbox", { name: "Search gift cards" })).toHaveValue("1");
    await counter.openFromAccount("Keyboard shortcuts");
    await toggle.press("Space");
    await gone();
  });

  await test.step("dialogs over the staff section hold keys and focus", async () => {
    await page.keyboard.press("F9");
    await signIn.as("Rosa", OWNER_PIN);
    await counter.isReady();
    await page.keyboard.press("F10");
    for (const name of ["Add staff member", "Permissions of Ana", "New PIN for Ana"]) {
      const button = page.getByRole("button", { name }).first();
      await button.focus();
      await page.keyboard.press("Enter");
      await holdsKeysAndFocus(page);
      await gone();
      await expect(button).toBeFocused();
    }
  });
});
