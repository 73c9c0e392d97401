/**
 * `npm run bench:search`: time from a key to the next paint in the search over 20,000 offers and in
 * every field of the counter. The baseline is a bare field of an idle page. Also measures long
 * tasks while a mouse wheel scrolls the catalog. Takes directories of built pages, which it
 * measures alternately.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { createGateway } from "../../server/index.ts";
import { formatCatalogFile, readCatalogFile } from "../../server/modules/catalog/catalog/index.ts";
import { openShift } from "../fixtures.ts";
import { SignIn } from "../pages/sign-in.ts";
import { provideBrowser } from "../support/browser.ts";
import { LARGE_CATALOG_OFFERS, largeCatalog } from "./large-catalog.ts";
import { TYPED_PLACES } from "./typed-places.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SCOPE = { accountId: "default", environment: "test" } as const;
const ROUNDS = 5;
const BETWEEN_MS = 90;
const LEAST_MS = 16;
const UNTIL_REPORTED_MS = 500;
const NOTCHES = 10;
const NOTCH_PX = 100;
const OWNER = { name: "Rosa", pin: "471183" };

async function watchKeys(page: Page): Promise<void> {
  await page.evaluate((least) => {
    const seen = new Map<number, number>();
    Object.assign(globalThis, { seenKeys: seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[]) {
        if (entry.interactionId > 0) {
          const longest = Math.max(seen.get(entry.interactionId) ?? 0, entry.duration);
          seen.set(entry.interactionId, longest);
        }
      }
    }).observe({ type: "event", durationThreshold: least, buffered: false } as never);
  }, LEAST_MS);
}

function takeSeen(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const { seenKeys } = globalThis as unknown as { seenKeys: Map<number, number> };
    const times = [...seenKeys.values()];
    seenKeys.clear();
    return times;
  });
}

/** Types every text and returns each key's time to the next paint, in milliseconds. */
async function typeAll(page: Page, field: string, texts: readonly string[]): Promise<number[]> {
  await takeSeen(page);
  let keys = 0;
  for (const text of texts) {
    await page.locator(field).fill("");
    await page.waitForTimeout(BETWEEN_MS);
    await page.locator(field).pressSequentially(text, { delay: BETWEEN_MS });
    keys += text.length;
  }
  await page.waitForTimeout(UNTIL_REPORTED_MS);
  const reported = await takeSeen(page);
  const unreported = Array.from({ length: Math.max(0, keys - reported.length) }, () => LEAST_MS);
  return [...unreported, ...reported];
}

function print(name: string, unsorted: readonly number[]): void {
  const times = unsorted.toSorted((a, b) => a - b);
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
  const figure = (ms: number) => (ms <= LEAST_MS ? `≤ ${LEAST_MS}` : ms.toFixed(0)).padStart(5);
  const shares = [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${figure(at(share))} ms`);
  console.log(`${name.padEnd(44)} ${shares.join("  ")}  of ${times.length} keys`);
}

/**
 * Scrolls the catalog with a mouse wheel. Returns the total duration of tasks over 50 ms, in
 * milliseconds.
 */
async function scrollCatalog(page: Page): Promise<number> {
  await page.evaluate(() => location.assign("#/office/catalog"));
  const row = page.locator("li[aria-posinset]").first();
  await row.waitFor();
  await row.hover();
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { longTasks: tasks });
    new PerformanceObserver((list) => {
      tasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: "longtask" });
  });
  for (let notch = 0; notch < NOTCHES; notch++) {
    await page.mouse.wheel(0, NOTCH_PX);
    await page.waitForTimeout(BETWEEN_MS);
  }
  await page.waitForTimeout(UNTIL_REPORTED_MS);
  return page.evaluate(() => {
    const { longTasks } = globalThis as unknown as { longTasks: number[] };
    return longTasks.reduce((sum, duration) => sum + duration, 0);
  });
}

async function openTill(browser: Browser, rendererDir: string, dataDir: string) {
  const gateway = await createGateway(
    {
      dataDir,
      backupDir: join(dataDir, "backups"),
      host: "127.0.0.1",
      port: 0,
      rendererDir,
      resourcesDir: join(ROOT, "resources"),
      logFile: undefined,
      logLevel: "silent",
      allowedHosts: [],
    },
    { automaticBackups: false },
  );
  const { url } = await gateway.listen();
  const { input } = readCatalogFile(Buffer.from(formatCatalogFile(largeCatalog())));
  await gateway.context.catalogUpdates.replace(SCOPE, input, {
    source: "bench",
    action: "catalog.import",
  });
  await fetch(`${url}/pos/setup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      shopName: "Bench",
      currency: "GTQ",
      rate: "7.75",
      language: "en",
      ownerName: OWNER.name,
      ownerPin: OWNER.pin,
    }),
  });
  await openShift({ url }, OWNER.name, OWNER.pin);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-GB" });
  await page.goto(url);
  await new SignIn(page).as(OWNER.name, OWNER.pin);
  await page.getByRole("navigation", { name: "Main menu" }).waitFor();
  await watchKeys(page);
  return { gateway, page };
}

const given = process.argv.slice(2).map((dir) => resolve(dir));
const builds = given.length > 0 ? given : [join(ROOT, "out/renderer")];
const data = mkdtempSync(join(tmpdir(), "tillgate-bench-"));
const { executablePath, args, env } = await provideBrowser();
const browser = await chromium.launch({ executablePath, args, env });
const tills: (Awaited<ReturnType<typeof openTill>> & { build: string })[] = [];
try {
  for (const [index, build] of builds.entries()) {
    const till = await openTill(browser, build, join(data, String(index)));
    tills.push({ ...till, build });
  }
  const idle = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await idle.setContent("<input>");
  await watchKeys(idle);
  console.log(`Keys to the next paint, with ${LARGE_CATALOG_OFFERS} offers`);
  for (const { what, field, typed, open } of TYPED_PLACES) {
    const times = new Map<string, number[]>();
    for (const { page } of tills) {
      await page.bringToFront();
      await open(page);
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const { page, build } of tills) {
        await page.bringToFront();
        times.set(build, [...(times.get(build) ?? []), ...(await typeAll(page, field, typed))]);
      }
    }
    await idle.bringToFront();
    print("a bare field of an idle page", await typeAll(idle, "input", typed));
    for (const [build, of] of times) {
      print(builds.length > 1 ? `${what}, ${relative(ROOT, build)}` : what, of);
    }
  }
  for (const { page, build } of tills) {
    await page.bringToFront();
    const sum = await scrollCatalog(page);
    console.log(
      `long tasks in ${NOTCHES} wheel notches of the catalog, ${relative(ROOT, build)}: ${sum.toFixed(0)} ms`,
    );
  }
} finally {
  await browser.close();
  for (const { gateway } of tills) await gateway.close();
  rmSync(data, { recursive: true, force: true });
}
