/**
 * `npm run bench:search`: how long from a key to the next paint while somebody types in the search
 * over 20,000 offers and in the walls of the counter, as the browser's own event timing has it. Beside it, the same keys typed into
 * a bare field of an idle page of the same browser. The pages must be built.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { createGateway } from "../../server/index.ts";
import { formatCatalogFile, readCatalogFile } from "../../server/modules/catalog/index.ts";
import { openShift } from "../fixtures.ts";
import { SignIn } from "../pages/sign-in.ts";
import { provideBrowser } from "../support/browser.ts";
import { LARGE_CATALOG_OFFERS, largeCatalog } from "./large-catalog.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SCOPE = { accountId: "default", environment: "test" } as const;
const ANYTHING = [
  "tigo guatemala",
  "50",
  "claro data",
  "mexico 100",
  "bundle 7 days",
  "zain",
  "airtel",
];
/** The walls of brands, destinations and billers, by their keys, and what is typed into them. */
const WALLS = [
  { key: "F2", what: "voucher brands", typed: ["amazon", "steam", "google play", "netflix"] },
  { key: "F3", what: "eSIM destinations", typed: ["spain", "united", "europe", "japan"] },
  { key: "F4", what: "billers", typed: ["electric", "water", "luz", "telecom"] },
];
const ROUNDS = 5;
/** Between two keys, as somebody quick types. */
const BETWEEN_MS = 90;
const WALL_FIELD = "main section input[type=text]";
/** The browser reports nothing shorter. */
const LEAST_MS = 16;
const OWNER = { name: "Rosa", pin: "4711" };

/** Types every text and gives back each key's time to the next paint, in milliseconds. */
async function typeAll(page: Page, field: string, texts: readonly string[]): Promise<number[]> {
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
  let keys = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const text of texts) {
      await page.locator(field).fill("");
      await page.locator(field).pressSequentially(text, { delay: BETWEEN_MS });
      keys += text.length;
    }
  }
  await page.waitForTimeout(1_000);
  const reported = await page.evaluate(() => [
    ...(globalThis as unknown as { seenKeys: Map<number, number> }).seenKeys.values(),
  ]);
  const unreported = Array.from({ length: Math.max(0, keys - reported.length) }, () => LEAST_MS);
  return [...unreported, ...reported].sort((a, b) => a - b);
}

function tell(name: string, times: number[]): void {
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
  const figure = (ms: number) => (ms <= LEAST_MS ? `≤ ${LEAST_MS}` : ms.toFixed(0)).padStart(5);
  const shares = [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${figure(at(share))} ms`);
  console.log(`${name.padEnd(44)} ${shares.join("  ")}  of ${times.length} keys`);
}

const dataDir = mkdtempSync(join(tmpdir(), "tillgate-bench-"));
const gateway = await createGateway(
  {
    dataDir,
    backupDir: join(dataDir, "backups"),
    host: "127.0.0.1",
    port: 0,
    rendererDir: join(ROOT, "out/renderer"),
    resourcesDir: join(ROOT, "resources"),
    logFile: undefined,
    logLevel: "silent",
    allowedHosts: [],
  },
  { automaticBackups: false },
);
const { executablePath, args, env } = await provideBrowser();
const browser = await chromium.launch({ executablePath, args, env });
try {
  const { url } = await gateway.listen();
  const { catalogUpdates } = gateway.context;
  const { input } = readCatalogFile(Buffer.from(formatCatalogFile(largeCatalog())));
  await catalogUpdates.replace(SCOPE, input, { source: "bench", action: "catalog.import" });
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

  const idle = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await idle.setContent("<input>");
  const baseline = await typeAll(idle, "input", ANYTHING);
  await idle.close();

  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(url);
  await new SignIn(page).as(OWNER.name, OWNER.pin);
  await page.getByRole("navigation").waitFor();
  await page.keyboard.press("Control+k");
  const field = "[data-palette-field]";
  await page.locator(field).fill("tigo");
  await page.getByRole("button", { name: /Tigo/ }).first().waitFor();
  const search = await typeAll(page, field, ANYTHING);
  console.log(`Keys to the next paint, search over ${LARGE_CATALOG_OFFERS} offers`);
  tell("a bare field of an idle page", baseline);
  tell("the till's search", search);
  await page.keyboard.press("Escape");
  for (const { key, what, typed } of WALLS) {
    await page.keyboard.press(key);
    await page.getByRole("main").getByRole("button").first().waitFor();
    tell(`the wall of ${what}`, await typeAll(page, WALL_FIELD, typed));
  }
} finally {
  await browser.close();
  await gateway.close();
  rmSync(dataDir, { recursive: true, force: true });
}
