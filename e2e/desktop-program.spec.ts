import { expect, test } from "./fixtures.ts";
import { requireReceipt, sellAndPrint, setUpShop } from "./pages/first-sale.ts";
import { standInForDesktop } from "./support/desktop-stand-in.ts";

test("the desktop program sets up a shop, sells a top-up and prints its receipt to PDF", async ({
  page,
  newMachine,
}) => {
  let pdf: Uint8Array | undefined;
  await page.exposeFunction("printToPdf", async () => {
    pdf = await page.pdf({ preferCSSPageSize: true });
    return { printed: true };
  });
  await standInForDesktop(page);
  await page.addInitScript(() => {
    Object.assign(window.tillgate ?? {}, { print: Reflect.get(globalThis, "printToPdf") });
  });
  await page.goto(newMachine.url);
  const counter = await setUpShop(page);
  await sellAndPrint(counter);
  await expect.poll(() => pdf?.length ?? 0).toBeGreaterThan(0);
  await requireReceipt(pdf!);
});
