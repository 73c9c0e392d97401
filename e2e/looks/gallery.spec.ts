import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { createServer } from "vite";
import { flagPictures } from "../../packaging/pages/flag-pictures.ts";
import { expect, test } from "../fixtures.ts";
import { expectNoFault } from "../support/faultless.ts";

const PAGES = join(import.meta.dirname, "../../out/renderer");

test("the gallery is in no build of the till", () => {
  const files = readdirSync(PAGES, { recursive: true, encoding: "utf8" });
  expect(files.filter((name) => name.includes("gallery"))).toEqual([]);
  const scripts = files.filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(10);
  for (const name of scripts) {
    expect(readFileSync(join(PAGES, name), "utf8"), name).not.toContain("data-gallery");
  }
});

test("the gallery shows every component in both themes and writing directions", async ({
  page,
}) => {
  const server = await createServer({
    configFile: false,
    root: join(import.meta.dirname, "../../renderer"),
    plugins: [react(), flagPictures()],
    cacheDir: join(process.env.TMPDIR ?? "/tmp", "gallery"),
    logLevel: "error",
    server: { host: "127.0.0.1", port: 0, hmr: false, watch: null },
  });
  try {
    await server.listen();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${server.resolvedUrls?.local[0]}gallery.html`);
    await expect(page.getByRole("heading", { name: "Back office" })).toBeVisible();
    await expect(page.getByRole("img", { name: "QR code of the receipt" })).toBeVisible();
    await expect(page.getByText("Opened 2 times").first()).toBeVisible();
    await expect(page.getByText(/Netflix 50/).first()).toBeVisible();
    const height = await page
      .locator("[data-gallery]")
      .evaluate(({ scrollHeight }) => scrollHeight + 400);
    await page.setViewportSize({ width: 1280, height });
    for (const [theme, language, name] of [
      ["light", "English", "en"],
      ["dark", "Français", "fr"],
      ["light", "العربية", "ar"],
    ] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      await page.getByRole("radiogroup").first().getByText(language, { exact: true }).click();
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({ path: `artifacts/screens/gallery-${name}-${theme}.png` });
      await expectNoFault(page);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const opened of ["dialog", "keyboard"]) {
      await page.locator(`[data-opens=${opened}]`).click();
      const shown = page.locator("[data-screen-keyboard], [role=dialog]");
      await expect(shown).toBeVisible();
      await page.screenshot({ path: `artifacts/screens/gallery-${opened}.png` });
      await page.keyboard.press("Escape");
      await expect(page.locator("[role=dialog]")).toHaveCount(0);
    }
  } finally {
    await server.close();
  }
});
