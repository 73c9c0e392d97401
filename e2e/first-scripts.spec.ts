import { expect, test } from "./fixtures.ts";
import { MOST_BYTES, weighFirstScripts } from "./support/first-scripts.ts";

test("the gateway sends pages with Brotli, and with gzip to a browser without Brotli", async ({
  page,
  freshShop,
}) => {
  const encodings = new Set<string | undefined>();
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) encodings.add(response.headers()["content-encoding"]);
  });
  await page.goto(freshShop.url);
  await expect(page.getByLabel("Shop name")).toBeVisible();
  expect([...encodings]).toContain("br");
  expect([...encodings]).not.toContain("gzip");
  const light = await weighFirstScripts(freshShop.url);
  const widespread = await weighFirstScripts(freshShop.url, "gzip");
  expect(widespread.total).toBeGreaterThan(light.total);
});

test("the downloads needed for the counter are below 300 kB", async ({ freshShop }) => {
  const { scripts, words, total } = await weighFirstScripts(freshShop.url);
  expect(words).toBeGreaterThan(10_000);
  expect(total).toBe(scripts + words);
  expect(total, "scripts of the first screen, in bytes as sent").toBeLessThan(MOST_BYTES);
});
