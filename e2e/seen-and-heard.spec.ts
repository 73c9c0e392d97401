import type { Page } from "@playwright/test";
import { CLERK, expect, test } from "./fixtures.ts";

test("each screen has a name, and the first Tab leads past the menu", async ({ counter, page }) => {
  await expect(page).toHaveTitle("Top-up · Tillgate");
  for (const [key, title] of [
    ["F4", "Pay a bill · Tillgate"],
    ["F6", "Sales · Tillgate"],
    ["F7", "Shift · Tillgate"],
    ["F1", "Top-up · Tillgate"],
  ] as const) {
    await counter.press(key);
    await expect(page).toHaveTitle(title);
  }
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.reload();
  await counter.isReady();
  const skip = page.getByRole("button", { name: "Skip to the content" });
  // Repeats the attempt, because pending updates of the counter move the focus back to its field.
  await expect(async () => {
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      document.body.tabIndex = -1;
      document.body.focus();
    });
    await page.keyboard.press("Tab");
    await expect(skip).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Enter");
  await expect(counter.number).toBeFocused();
  await page.keyboard.press("F9");
  await expect(page).toHaveTitle("Sign in · Tillgate");
});

test("a PIN can be pasted, or filled in by a password manager", { tag: "@thorough" }, async ({
  signIn,
  page,
}) => {
  await signIn.choose(CLERK.name);
  const pin = page.getByLabel("PIN", { exact: true });
  await expect(pin).toHaveAttribute("autocomplete", "current-password");
  await expect(pin).toHaveAttribute("inputmode", "numeric");
  await pin.focus();
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.execCommand("insertText", false, data.getData("text/plain"));
  }, ` ${CLERK.pin}\n`);
  await page.keyboard.press("Enter");
  await expect(
    page.getByRole("textbox", { name: "Number, name, product or barcode" }),
  ).toBeVisible();
});

test("focus, selection and button are visible in forced colours", {
  tag: "@thorough",
}, async ({ counter, page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  const styleOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { backgroundColor, borderStyle, borderWidth, outlineStyle, outlineWidth } =
          getComputedStyle(element);
        return { backgroundColor, borderStyle, borderWidth, outlineStyle, outlineWidth };
      });

  await test.step("the focused field and a button reached with Tab are visible", async () => {
    await expect(counter.number).toBeFocused();
    expect(await styleOf("[data-field]")).toMatchObject({
      outlineStyle: "solid",
      outlineWidth: "2px",
    });
    await page.keyboard.press("Tab");
    expect(await styleOf(":focus")).toMatchObject({ outlineStyle: "solid", outlineWidth: "2px" });
  });

  await test.step("the open destination is visible", async () => {
    const here = await styleOf("nav [aria-current=page]");
    expect(here.backgroundColor).not.toBe(
      (await styleOf("nav a:not([aria-current])")).backgroundColor,
    );
  });

  await counter.number.focus();
  await counter.chooseTopup("50251234567", "1");
  await test.step("the chosen note, the chosen payment method and the button are visible", async () => {
    await page.getByRole("button", { name: "Exact" }).focus();
    for (const group of ["Cash received", "Payment method"]) {
      const buttons = page.getByRole("group", { name: group });
      const [chosen, other] = await Promise.all(
        ["true", "false"].map((pressed) =>
          buttons
            .locator(`[aria-pressed=${pressed}]`)
            .first()
            .evaluate((button) => getComputedStyle(button).backgroundColor),
        ),
      );
      expect(chosen, group).not.toBe(other);
    }
    const pay = await page
      .getByRole("button", { name: /Take payment/ })
      .evaluate((button) => getComputedStyle(button));
    expect(pay.borderStyle).toBe("solid");
  });
});

test("the focus ring covers no label, and every field has a visible border", {
  tag: "@thorough",
}, async ({ page, freshShop }) => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(freshShop.url);
    const field = page.getByLabel("Shop name");
    await field.focus();
    const { overlaps, contrast } = await field.evaluate((input) => {
      const { outlineWidth, outlineOffset, borderTopColor, boxShadow } = getComputedStyle(input);
      const ring = Math.max(0, Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset));
      const shadow = boxShadow === "none" ? 0 : 4;
      const box = input.getBoundingClientRect();
      const [top, bottom] = [box.top - Math.max(ring, shadow), box.bottom + Math.max(ring, shadow)];
      const root = input.closest(".mantine-InputWrapper-root") as HTMLElement;
      const words = [...root.querySelectorAll("label, p")].map((one) =>
        one.getBoundingClientRect(),
      );
      const parts = (color: string) => (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
      const light = (color: string) => {
        const [r = 0, g = 0, b = 0] = parts(color)
          .map((part) => part / 255)
          .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      (input as HTMLElement).blur();
      const border = light(getComputedStyle(input).borderTopColor || borderTopColor);
      const isClear = (one: Element) => getComputedStyle(one).backgroundColor.endsWith(", 0)");
      let behind: Element = root;
      while (isClear(behind) && behind.parentElement) behind = behind.parentElement;
      const ground = light(getComputedStyle(behind).backgroundColor);
      const [dim = 0, bright = 0] = [border, ground].sort((a, b) => a - b);
      return {
        overlaps: words.some((one) => one.bottom > top + 0.5 && one.top < bottom - 0.5),
        contrast: (bright + 0.05) / (dim + 0.05),
      };
    });
    expect(overlaps).toBe(false);
    expect(contrast).toBeGreaterThan(3);
  }
});

test("the till announces the number a single time, the count of offers, and the outcome immediately", {
  tag: "@thorough",
}, async ({ counter, page }) => {
  const heard = await listen(page);
  await page.keyboard.type("50251234567");
  await expect(page.getByText("Tigo · detected")).toBeVisible();
  await expect
    .poll(() => heard())
    .toContainEqual(expect.stringMatching(/^polite: Tigo · detected/));
  const ofNumber = (await heard()).filter((text) => !text.includes("Top-up"));
  expect(ofNumber.length).toBeLessThanOrEqual(2);
  await counter.press("Enter");
  await expect(counter.tile(/Q 25\b/)).toBeVisible();
  await expect
    .poll(() => heard())
    .toContainEqual(expect.stringMatching(/^polite: \d+ to choose from\./));
  await counter.press("5");
  await expect(counter.primary(/Take payment/)).toBeEnabled();
  await counter.press("Enter");
  await expect
    .poll(() => heard())
    .toContainEqual(expect.stringMatching(/^assertive: Delivered.*Confirmation \d{15}/));
});

test("an error is announced at its field", { tag: "@thorough" }, async ({ counter, page }) => {
  await counter.type("5025987");
  await expect(counter.work.getByText("Number too short")).toBeVisible();
  await expect(counter.number).toHaveAttribute("aria-invalid", "true");
  await expect(counter.number).toHaveAccessibleDescription(/Number too short/);
  await counter.press("Escape");
  await counter.chooseTopup("50251234567", "5");
  const cash = page.getByRole("textbox", { name: "Cash received" });
  await expect(cash).toHaveAccessibleDescription(/\+502 5123 4567 .*Tigo 25.*Q\s26\.35/);
  await expect(cash).toHaveAttribute("aria-invalid", "false");
  await cash.fill("5");
  await expect(cash).toHaveAttribute("aria-invalid", "true");
  await expect(cash).toHaveAccessibleDescription(/Left to pay Q\s21\.35/);
});

/** Returns a function that lists the announcements since this call, in order. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    (globalThis as { heard?: string[] }).heard = heard;
    for (const region of document.querySelectorAll<HTMLElement>("[data-announcer]")) {
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) {
          for (const node of addedNodes) {
            heard.push(`${region.ariaLive}: ${node.textContent}`);
          }
        }
      }).observe(region, { childList: true });
    }
  });
  return () => page.evaluate(() => (globalThis as { heard?: string[] }).heard ?? []);
}
