import { expect, test } from "./fixtures.ts";
import { MOST_BYTES, weighFirstScripts } from "./support/first-scripts.ts";

test("what a browser fetches before the counter can be used weighs less than 370 kB", async ({
  freshShop,
}) => {
  const { scripts, words, total } = await weighFirstScripts(freshShop.url);
  expect(words).toBeGreaterThan(10_000);
  expect(total).toBe(scripts + words);
  expect(total, "scripts of the first screen, in bytes as sent").toBeLessThan(MOST_BYTES);
});
