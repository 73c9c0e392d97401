/**
 * Screenshot tests take each screen in small light and large dark windows, and at a zoom of 150 %.
 * They fail on accessibility errors, overflowing text, cut figures, small targets and untranslated
 * words.
 */
import { expect, type Page } from "@playwright/test";
import arabic from "../../renderer/locales/ar.json" with { type: "json" };
import english from "../../renderer/locales/en.json" with { type: "json" };
import { officeWordsIn } from "../../renderer/locales/office-words.ts";
import { familyWordsIn } from "../../renderer/locales/till-words.ts";
import { findBarriers } from "./faultless.ts";
import { findLayoutFaults } from "./layout-faults.ts";

/**
 * True if every combination of screen, window and language is tested, instead of each only once.
 */
export const isEveryLook = process.env.LOOKS === "every";

/** Languages for screens whose mirrored Arabic layout no other screen tests. */
export const DIRECTIONS = ["fr", "ar"] as const;

/**
 * Languages of each screen: French, which has the longest texts. Other end-to-end tests use
 * English. `LOOKS=every` adds Arabic.
 */
export const LANGUAGES = isEveryLook ? DIRECTIONS : (["fr"] as const);

/** Languages of the back office; `LOOKS=every` adds Spanish. */
export const OFFICE_LANGUAGES = isEveryLook ? (["es", ...LANGUAGES] as const) : LANGUAGES;

const VIEWS = [
  { theme: "light", width: 1280, height: 800, axe: true },
  { theme: "dark", width: 1920, height: 1080, axe: true },
  { theme: "dark", width: 853, height: 533, axe: false },
] as const;

const OFFICE_VIEWS = [
  ...VIEWS.slice(0, 2),
  { theme: "light", width: 820, height: 1180, axe: true },
  { theme: "dark", width: 390, height: 844, axe: true },
] as const;

/** Takes the pictures `artifacts/screens/<name>-<theme>-<width>.png` and checks each view. */
export async function lookAt(
  page: Page,
  name: string,
  { isZoomed = true }: { readonly isZoomed?: boolean } = {},
): Promise<void> {
  await lookFrom(isZoomed ? VIEWS : VIEWS.slice(0, 2), page, name);
}

export async function lookAtOffice(page: Page, name: string): Promise<void> {
  await lookFrom(OFFICE_VIEWS, page, name);
}

type View = (typeof VIEWS | typeof OFFICE_VIEWS)[number];

async function lookFrom(views: readonly View[], page: Page, name: string): Promise<void> {
  for (const { theme, width, height, axe } of views) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height });
    await settle(page);
    const view = `${name}-${theme}-${width}`;
    await page.screenshot({ path: `artifacts/screens/${view}.png` });
    const faults = [
      ...(await page.evaluate(findLayoutFaults)),
      ...(await findEnglish(page)),
      ...(axe ? await findBarriers(page) : []),
    ];
    expect.soft(faults, view).toEqual([]);
  }
  await page.setViewportSize({ width: VIEWS[0].width, height: VIEWS[0].height });
}

async function settle(page: Page): Promise<void> {
  await expect(page.locator('[aria-hidden=true][class*="_flag_"]:empty')).toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    await Promise.all(document.getAnimations().map((animation) => animation.finished));
    for (let frame = 0; frame < 2; frame++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
}

async function findEnglish(page: Page): Promise<string[]> {
  if ((await page.locator("html").getAttribute("lang")) !== "ar") return [];
  const shown = await page.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      // Excludes announcements: the last one may be in the previous language.
      if (!parentElement?.closest("[data-announcer]")) texts.push(textContent?.trim() ?? "");
    }
    return texts;
  });
  const kept = new Set(
    leavesOf({ ...arabic, family: familyWordsIn("ar"), office: officeWordsIn("ar") }),
  );
  const words = new Set(
    leavesOf({ ...english, family: familyWordsIn("en"), office: officeWordsIn("en") }).filter(
      (text) => text.length > 2 && !kept.has(text),
    ),
  );
  return shown.filter((text) => words.has(text)).map((text) => `"${text}" stayed English`);
}

type Tree = { readonly [key: string]: string | Tree };

function leavesOf(tree: Tree): string[] {
  return Object.values(tree).flatMap((value) =>
    typeof value === "string" ? [value] : leavesOf(value),
  );
}
