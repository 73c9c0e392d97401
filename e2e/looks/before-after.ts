/**
 * `npm run look:before-after BEFORE AFTER OUT`: writes a sheet for each screen and language, with
 * the pictures of two versions. The folders BEFORE and AFTER contain pictures of
 * `twelve-screens.spec.ts` with `LOOKS=every`.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { chromium } from "@playwright/test";
import { provideBrowser } from "../support/browser.ts";
import { SIZES } from "../support/sizes.ts";

const ROW_HEIGHT_PX = 260;
const QUALITY = 60;
const THEMES = ["light", "dark"] as const;

function pictureOf(dir: string, name: string): string {
  const bytes = readFileSync(join(dir, `${name}.png`));
  return `<img height="${ROW_HEIGHT_PX}" src="data:image/png;base64,${bytes.toString("base64")}">`;
}

function rowOf(title: string, dir: string, sheet: string, theme: string): string {
  const cells = SIZES.map(
    ({ width }) => `<td>${pictureOf(dir, `${sheet}-${theme}-${width}`)}</td>`,
  );
  return `<tr><th>${title}</th>${cells.join("")}</tr>`;
}

function sheetOf(before: string, after: string, sheet: string): string {
  const sizes = SIZES.map(({ width, height }) => `<th>${width} × ${height}</th>`);
  const rows = THEMES.flatMap((theme) => [
    rowOf("before", before, sheet, theme),
    rowOf("after", after, sheet, theme),
  ]);
  return `<style>
    body { margin: 12px; width: max-content; font: 15px sans-serif; background: #fff; color: #333 }
    td { padding: 3px; vertical-align: top } img { display: block; outline: 1px solid #ccc }
    th { font-weight: 400; text-align: start; padding: 3px }
  </style><table><tr><th></th>${sizes.join("")}</tr>${rows.join("")}</table>`;
}

const [before, after, out] = process.argv.slice(2).map((dir) => resolve(dir));
if (!before || !after || !out) {
  throw new Error("Usage: npm run look:before-after BEFORE AFTER OUT");
}
const suffix = `-light-${SIZES[0]?.width}.png`;
const sheets = readdirSync(after)
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length));
if (sheets.length === 0) throw new Error(`there are no pictures in ${after}`);
mkdirSync(out, { recursive: true });
const { executablePath, args, env } = await provideBrowser();
const browser = await chromium.launch({ executablePath, args, env });
try {
  const page = await browser.newPage({ viewport: { width: 2200, height: 1200 } });
  const session = await page.context().newCDPSession(page);
  for (const sheet of sheets) {
    await page.setContent(sheetOf(before, after, sheet));
    const { width = 0, height = 0 } = (await page.locator("body").boundingBox()) ?? {};
    const { data } = await session.send("Page.captureScreenshot", {
      format: "webp",
      quality: QUALITY,
      captureBeyondViewport: true,
      clip: { x: 0, y: 0, width: width + 24, height: height + 24, scale: 1 },
    });
    writeFileSync(join(out, `${sheet}.webp`), Buffer.from(data, "base64"));
  }
} finally {
  await browser.close();
}
