import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { confirm, openShop, press, tile, typeNumber } from "../support/look-shop.ts";

const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;
/** Elements that the test reaches with Tab on each screen. */
const TABS = 12;

/**
 * Returns the buttons without a visible line around them, and the chosen elements that have the
 * background of an element that is not chosen. Runs in the page.
 */
function findUnseen(): string[] {
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest("[inert], [aria-hidden=true], .spoken") === null &&
    element.getBoundingClientRect().width > 1;
  const say = (element: Element) =>
    `${element.className} "${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40)}"`;
  const shown = (selector: string) => [...document.querySelectorAll(selector)].filter(isShown);
  const isFramed = (element: Element) => {
    const style = getComputedStyle(element);
    const isDrawn = (line: string, width: string) =>
      line !== "none" && Number.parseFloat(width) >= 1;
    return (
      isDrawn(style.borderTopStyle, style.borderTopWidth) ||
      isDrawn(style.outlineStyle, style.outlineWidth)
    );
  };
  const probe = document.createElement("i");
  probe.style.cssText = "forced-color-adjust: none; background: Highlight";
  document.body.append(probe);
  const highlight = getComputedStyle(probe).backgroundColor;
  probe.remove();
  const chosen = shown(
    "[aria-pressed=true], [aria-selected=true], [aria-current=page], [aria-current=true], .mantine-SegmentedControl-label[data-active]",
  );
  return [
    ...shown("button")
      .filter((button) => !isFramed(button))
      .map((button) => `no line around ${say(button)}`),
    ...chosen
      .filter((element) => getComputedStyle(element).backgroundColor !== highlight)
      .map((element) => `${say(element)} does not look chosen`),
  ];
}

/** Returns the elements, among the next ones reached with Tab, whose focus is not visible. */
async function findUnseenFocus(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (let tab = 0; tab < TABS; tab++) {
    await page.keyboard.press("Tab");
    const fault = await page.evaluate(() => {
      const focused = document.activeElement;
      // A screen holds the focus between its elements, and is no stop of Tab.
      if (!focused || focused.matches("body, main")) return undefined;
      const around = [
        focused,
        focused.closest("[data-field]"),
        focused.closest("label"),
        focused.parentElement?.querySelector("label"),
        focused.nextElementSibling,
      ];
      const isRinged = around.some((element) => {
        if (!element) return false;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
      });
      return isRinged ? undefined : focused.outerHTML.slice(0, 120);
    });
    if (fault) faults.push(`no focus ring on ${fault}`);
  }
  return faults;
}

test("focus, choices and buttons of the main screens are visible in forced colours", async ({
  page,
  freshShop,
}) => {
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  const look = async (name: string) => {
    for (const size of WINDOWS) {
      await page.setViewportSize(size);
      await page.screenshot({ path: `artifacts/screens/forced-${name}-${size.width}.png` });
      expect.soft(await page.evaluate(findUnseen), `${name}, ${size.width}`).toEqual([]);
    }
    await page.setViewportSize(WINDOWS[0]);
    expect.soft(await findUnseenFocus(page), name).toEqual([]);
  };
  await openShop(page, freshShop, { language: "en" });
  await look("counter");
  await page.locator("[data-counter-field]").focus();
  await typeNumber(page, "50251234567");
  await look("offers");
  await tile(page, 5).click();
  await expect(confirm(page)).toBeVisible();
  await look("confirm");
  await page.getByRole("button", { name: /Take payment/ }).click();
  await expect(page.locator("[data-outcome=DELIVERED]").first()).toBeVisible();
  await look("delivered");
  await press(page, "F6");
  await expect(page.locator("main li").first()).toBeVisible();
  await look("sales");
  await press(page, "F7");
  await expect(page.getByRole("button", { name: "Close shift" })).toBeVisible();
  await look("shift");
  for (const section of ["overview", "prices", "catalog", "settings", "live"]) {
    await page.goto(`${freshShop.url}/#/office/${section}`);
    await expect(page.locator("main h1")).toBeVisible();
    await expect(page.locator("main .mantine-Skeleton-root")).toHaveCount(0);
    await look(section);
  }
  await page.goto(freshShop.url);
  await press(page, "F9");
  await expect(page.getByRole("button", { name: "Rosa" })).toBeVisible();
  await look("sign-in");
});
