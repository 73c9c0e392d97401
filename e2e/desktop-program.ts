/**
 * Starts the packed desktop program, sets up a shop, makes one sale and prints its receipt to PDF:
 *
 *     npm run dist:desktop -- --folder && npm run test:desktop
 *     npm run test:desktop -- --dist DIR     if the program was packed into another folder
 *
 * Needs Electron's runtime and a display: on a server use `xvfb-run -a npm run test:desktop`. The
 * receipt and, after an error, a picture are in artifacts/desktop.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { _electron, expect } from "@playwright/test";
import { requireReceipt, sellAndPrint, setUpShop } from "./pages/first-sale.ts";
import {
  allowDebugger,
  findPackedProgram,
  launchOptions,
  PRINTED,
  printToPdf,
} from "./support/packed-program.ts";

const ROOT = join(import.meta.dirname, "..");
const ARTIFACTS = join(ROOT, "artifacts/desktop");
const START_TIMEOUT_MS = 120_000;
const STEP_TIMEOUT_MS = 30_000;

const { values } = parseArgs({
  options: { dist: { type: "string", default: join(ROOT, "dist") } },
});
const { platform, arch } = process;
if (
  (platform !== "linux" && platform !== "win32" && platform !== "darwin") ||
  (arch !== "x64" && arch !== "arm64")
) {
  throw new Error(`The desktop program is not made for ${platform} on ${arch}.`);
}
const program = findPackedProgram(resolve(values.dist), { platform, arch });
await allowDebugger(program);
await mkdir(ARTIFACTS, { recursive: true });
const folder = await mkdtemp(join(tmpdir(), "tillgate-desktop-"));
const app = await _electron.launch({
  ...launchOptions(program.executable, folder),
  timeout: START_TIMEOUT_MS,
});
try {
  const page = await app.firstWindow({ timeout: START_TIMEOUT_MS });
  page.setDefaultTimeout(STEP_TIMEOUT_MS);
  await app.evaluate(printToPdf, PRINTED);
  try {
    await sellAndPrint(await setUpShop(page));
  } catch (error) {
    await page.screenshot({ path: join(ARTIFACTS, "failed.png") }).catch(() => undefined);
    throw error;
  }
  const readPrinted = () =>
    app.evaluate((_, name) => Reflect.get(globalThis, name) as string | undefined, PRINTED);
  await expect.poll(readPrinted, { timeout: STEP_TIMEOUT_MS }).toBeDefined();
  const pdf = Buffer.from((await readPrinted()) ?? "", "base64");
  await writeFile(join(ARTIFACTS, "receipt.pdf"), pdf);
  await requireReceipt(pdf);
  process.stdout.write(`The packed program sold and printed ${join(ARTIFACTS, "receipt.pdf")}\n`);
} finally {
  await app.close().catch(() => undefined);
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}
