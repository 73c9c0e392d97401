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

test("the first screen downloads less than 250 kB, and the counter less than 310 kB", async ({
  freshShop,
}) => {
  const { scripts, words, total, counter } = await weighFirstScripts(freshShop.url);
  expect(words).toBeGreaterThan(10_000);
  expect(total).toBe(scripts + words);
  expect(total, "bytes of the first screen, as sent").toBeLessThan(MOST_BYTES.firstScreen);
  expect(total + counter, "bytes until the counter works").toBeLessThan(MOST_BYTES.counter);
});
