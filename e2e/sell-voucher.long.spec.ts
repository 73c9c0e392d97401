/** Letters typed faster than the till opens a family. */
import { expect, test } from "./fixtures.ts";

test("letters typed right after the key of a family are searched for in it", async ({
  counter,
  page,
}) => {
  await counter.press("F4");
  await expect(page.getByRole("heading", { name: "Choose a biller" })).toBeVisible();
  const opened = await page.evaluate(async () => {
    const key = new KeyboardEvent("keydown", { key: "F2", bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(key);
    // The earliest moment of the next key.
    await Promise.resolve();
    return document.querySelector("main h1")?.textContent;
  });
  expect(opened).toBe("Gift cards");
  await counter.type("cem");
  await expect(counter.primary("Continue with Cemaco")).toBeEnabled();
});
