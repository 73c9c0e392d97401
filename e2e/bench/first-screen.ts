/**
 * `npm run bench:first-screen`: time from `npm start` to the first usable screen, on a fresh data
 * directory, with and without built pages. The baseline starts Node and shows a nearly empty page
 * in the same browser.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { provideBrowser } from "../support/browser.ts";
import { type FirstScripts, weighFirstScripts } from "../support/first-scripts.ts";
import { median } from "./quantile.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const ROUNDS = 5;

async function showPage(browser: Browser, url: string, readyWhen: string): Promise<void> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.locator(readyWhen).first().waitFor();
  await page.close();
}

async function baseline(browser: Browser): Promise<number> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<p>ready</p>");
  }).listen(0, "127.0.0.1");
  const began = performance.now();
  await new Promise((done) => spawn(process.execPath, ["-e", "0"]).once("exit", done));
  await showPage(browser, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, "p");
  const took = performance.now() - began;
  server.close();
  return took;
}

let weights: readonly FirstScripts[] = [];

/** Runs `npm start` on a fresh data directory until the set-up form accepts input. */
async function firstScreen(browser: Browser): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-bench-"));
  const began = performance.now();
  const child = spawn("npm", ["start", "--", "--data", dataDir, "--port", "0"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
    // Without a display the program opens no window: only the browser's screen is measured.
    env: { ...process.env, DISPLAY: "", WAYLAND_DISPLAY: "" },
  });
  const url = await new Promise<string>((found) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      const match = /listening on (http:\S+)/.exec(output);
      if (match?.[1]) found(match[1]);
    });
  });
  try {
    await showPage(browser, url, "input");
    const took = performance.now() - began;
    weights = [await weighFirstScripts(url), await weighFirstScripts(url, "gzip")];
    return took;
  } finally {
    const gone = new Promise((done) => child.once("exit", done));
    process.kill(-(child.pid ?? 0), "SIGTERM");
    await gone;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const { executablePath, args, env } = await provideBrowser();
const browser = await chromium.launch({ executablePath, args, env });
await baseline(browser);
rmSync(join(ROOT, "out"), { recursive: true, force: true });
const unbuilt = await firstScreen(browser);
const baselines: number[] = [];
const built: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  baselines.push(await baseline(browser));
  built.push(await firstScreen(browser));
}
await browser.close();

const base = median(baselines);
const rows = {
  "Node started, an empty page shown": base,
  "npm start, first usable screen": median(built),
  "the same, pages not built yet": unbuilt,
};
for (const [name, milliseconds] of Object.entries(rows)) {
  const seconds = (milliseconds / 1000).toFixed(2);
  console.log(`${name.padEnd(36)} ${seconds} s  ${(milliseconds / base).toFixed(1)} ×`);
}
const [brotli, gzip] = weights.map(({ total }) => `${(total / 1000).toFixed(0)} kB`);
console.log(`scripts and words of the first screen: ${brotli} with Brotli, ${gzip} with gzip`);
