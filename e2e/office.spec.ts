import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { expectNoFault } from "./support/faultless.ts";

test("the back office opens with its key for an owner, and the counter keeps a started sale", async ({
  counter,
  page,
  shop,
  signIn,
}) => {
  await expect(page.getByRole("link", { name: /Back office/ })).toHaveCount(0);
  await page.keyboard.press("Alt+b");
  await page.goto(`${shop.url}/#/office`);
  await counter.isReady();
  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();

  await page.keyboard.type("5025123");
  await page.keyboard.press("Alt+b");
  const menu = page.getByRole("navigation", { name: "Back office" });
  await expect(menu.getByRole("link", { name: "Overview" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expectNoFault(page);
  await page.keyboard.press("F1");
  await expect(page.getByRole("textbox", { name: "Number, name, product or barcode" })).toHaveValue(
    /5123/,
  );
});
