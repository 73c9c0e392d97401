import { expect, test } from "./fixtures.ts";

test("letters typed right after a family's key are searched for in that family", async ({
  counter,
  page,
}) => {
  await counter.press("F4");
  await expect(page.getByRole("heading", { name: "Choose a biller" })).toBeVisible();
  const opened = await page.evaluate(async () => {
    const key = new KeyboardEvent("keydown", { key: "F2", bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(key);
    // Waits for the earliest moment at which the next key may arrive.
    await Promise.resolve();
    return document.querySelector("main h1")?.textContent;
  });
  expect(opened).toBe("Gift cards");
  await counter.type("cem");
  await expect(counter.primary("Continue with Cemaco")).toBeEnabled();
});
