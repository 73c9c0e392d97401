import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { provideBrowser } from "./e2e/support/browser.ts";
import { findRoomForTests } from "./server/testing/room-in-memory.ts";

const JOURNEYS = "**/*.spec.ts";
const LONG = "**/*.long.spec.ts";
const LONG_FILE = /\.long\.spec\.ts/;
/** Tag of thorough end-to-end tests in files with core tests. */
const THOROUGH = /@thorough/;
const LOOKS = "**/e2e/looks/**/*.spec.ts";
// Gateways of the tests share a compile cache.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "tillgate-compile-cache");
process.env.TMPDIR = findRoomForTests(process.env.TMPDIR);
const { executablePath, args, env } = await provideBrowser();

export default defineConfig({
  testDir: "e2e",
  projects: [
    { name: "journeys", testMatch: JOURNEYS, testIgnore: [LONG, LOOKS], grepInvert: THOROUGH },
    // Thorough tests: every paper size and language, rare events.
    {
      name: "journeys-long",
      testMatch: JOURNEYS,
      testIgnore: LOOKS,
      grep: [LONG_FILE, THOROUGH],
    },
    { name: "looks", testMatch: LOOKS, timeout: 300_000 },
  ],
  outputDir: "artifacts/e2e",
  forbidOnly: process.env.CI !== undefined,
  fullyParallel: true,
  workers: 2,
  // On a busy machine a browser may get too little processor time. The summary lists retried tests.
  retries: process.env.CI === undefined ? 0 : 1,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    headless: true,
    launchOptions: { executablePath, args, env },
    locale: "en-GB",
    timezoneId: "UTC",
    viewport: { width: 1280, height: 800 },
    screenshot: "only-on-failure",
    // Recording a trace takes a third of the processor time. To record one: npm run test:e2e --
    // NAME --trace on
    trace: { mode: "on-first-retry", screenshots: false, sources: false },
    video: "off",
  },
});
