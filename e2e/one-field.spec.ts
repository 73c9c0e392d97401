import { expect, test } from "./fixtures.ts";
import { countedKeys } from "./support/counted-keys.ts";
import { scan } from "./support/typing-clock.ts";

test("Ana sells a gift card, an eSIM and a bill from the field where she types numbers", async ({
  counter,
  page,
  shop,
}) => {
  const saleShown = (number: number) =>
    counter.panel.getByRole("region", { name: `Sale ${number}` });
  await test.step("Ana types letters and Enter, a digit and Enter for a gift card", async () => {
    counter.keys = 0;
    await counter.type("cem");
    await expect(counter.primary(/Continue with Cemaco/)).toBeEnabled();
    await counter.press("Enter");
    await expect(counter.tile(/Q ?\d+/).first()).toBeVisible();
    await counter.press("1");
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await counter.press("Enter");
    expect(counter.keys).toBe(countedKeys("Gift card or voucher", "cem"));
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  });

  await test.step("a name with an amount finds the card of that amount", async () => {
    counter.keys = 0;
    await counter.type("netflix 50");
    await expect(counter.primary(/Continue with Netflix.*50/)).toBeEnabled();
    await counter.press("Enter");
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await counter.press("Enter");
    expect(counter.keys).toBe(countedKeys("A gift card of an amount", "netflix 50"));
    await expect(saleShown(2).getByRole("heading", { name: "Delivered" })).toBeVisible();
  });

  await test.step("a misspelled brand offers its correct name", async () => {
    await counter.type("netflx 50");
    const meant = page.getByRole("button", { name: "Did you mean “netflix 50”?" });
    await expect(meant).toBeVisible();
    await meant.click();
    await expect(counter.number).toHaveValue("netflix 50");
    await expect(counter.primary(/Continue with Netflix.*50/)).toBeEnabled();
    await counter.press("Escape");
    await expect(counter.number).toHaveValue("");
  });

  await test.step("Ana types the country and data of an eSIM, and the till asks about the phone", async () => {
    counter.keys = 0;
    await counter.type("spain esim 5gb");
    await expect(counter.primary(/Continue with .*5 GB/)).toBeEnabled();
    await counter.press("Enter");
    await expect(page.getByText("*#06#")).toBeVisible();
    await counter.press("Enter");
    await expect(page.getByText("New eSIM: Spain")).toBeVisible();
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await counter.press("Enter");
    expect(counter.keys).toBe(countedKeys("New eSIM, its country", "spain esim 5gb"));
    await expect(saleShown(3).getByRole("heading", { name: "Delivered" })).toBeVisible();
  });

  await test.step("an eSIM without a plan opens the country's plans, and Esc leads back", async () => {
    await counter.type("spain esim");
    await expect(page.getByRole("region", { name: "Results" })).toContainText(/Spain/);
    await counter.press("Enter");
    await expect(page.getByRole("heading", { name: /plan/i })).toBeVisible();
    await test.step("Esc leads back to the typed words", async () => {
      await counter.press("Escape");
      await expect(counter.number).toHaveValue("spain esim");
      await counter.press("Escape");
      await expect(counter.number).toHaveValue("");
    });
  });

  await test.step("Ana types the biller's name and the account for a bill", async () => {
    counter.keys = 0;
    await counter.type("eegsa 30001234567");
    await expect(counter.primary(/Continue with EEGSA/)).toBeEnabled();
    await counter.press("Enter");
    const account = page.getByRole("textbox", { name: "Account number" });
    await expect(account).toHaveValue(/3000/);
    await counter.press("Enter");
    await expect(page.getByText("Amount due")).toBeVisible();
    await counter.press("Enter");
    await expect(counter.primary(/Take payment Q /)).toBeEnabled();
    await counter.press("Enter");
    expect(counter.keys).toBe(countedKeys("Bill, the account", "eegsa 30001234567"));
    await expect(saleShown(4).getByRole("heading", { name: "Paid" })).toBeVisible();
  });

  await test.step("F2 searches the same words among gift cards only", async () => {
    await counter.type("walm");
    await counter.press("F2");
    await expect(page.getByRole("textbox", { name: "Search gift cards" })).toHaveValue("walm");
    await expect(counter.tile(/^Walmart/).first()).toBeVisible();
    await counter.press("F1", "Escape");
  });

  await test.step("items that this shop sells come first among equal matches", async () => {
    await page.reload();
    await counter.isReady();
    await counter.type("c");
    await expect(
      page.getByRole("region", { name: "Results" }).getByRole("listitem").first(),
    ).toContainText("Cemaco");
  });

  const { list } = await shop.v1("/billpay/purchases?_limit=10&_offset=0");
  expect(list).toMatchObject([
    { status: "DONE", fields: [{ key: "accountNumber", value: "30001234567" }] },
  ]);
});

test("a digit after a pause picks a result; digits after a space or typed quickly are text", {
  tag: "@thorough",
}, async ({ counter, page }) => {
  await test.step("a digit after a pause picks a result", async () => {
    await counter.type("walm");
    await expect(counter.primary(/Continue with Walmart/)).toBeEnabled();
    await counter.press("1");
    await expect(counter.tile(/Q 50\b/)).toBeVisible();
    await counter.press("Escape");
    await expect(counter.number).toHaveValue("walm");
  });

  await test.step("a number after a space is an amount: it finds the card of that amount, with its price", async () => {
    await page.keyboard.type(" 50");
    await expect(counter.number).toHaveValue("walm 50");
    await expect(page.getByRole("region", { name: "Results" })).toContainText(/Q\s50\./);
    await counter.press("Escape");
  });

  await test.step("an unknown scanned code is only text, and picks nothing", async () => {
    await scan(page, "WZ7719X4");
    await expect(counter.number).toHaveValue("WZ7719X4");
    await expect(page.getByText("No results for “WZ7719X4”")).toBeVisible();
    await expect(counter.panel.getByRole("button", { name: /Take payment/ })).toHaveCount(0);
  });
});

test("scanned codes in the field are recognized by kind, and sell nothing", async ({
  counter,
  page,
}) => {
  const fits = page.getByRole("region", { name: "Results" });
  const isUnsold = () =>
    expect(counter.panel.getByRole("button", { name: /Take payment/ })).toHaveCount(0);

  await test.step("the barcode of a receipt opens its sale in Today", async () => {
    await counter.type("cem");
    await expect(counter.primary(/Continue with Cemaco/)).toBeEnabled();
    await counter.press("Enter");
    await expect(counter.tile(/Q ?\d+/).first()).toBeVisible();
    await counter.press("1");
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await counter.press("Enter");
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
    await scan(page, "000001");
    await expect(fits.getByRole("listitem").first()).toContainText(/Sale 1.*Cemaco/);
    await expect(fits.getByRole("listitem")).toHaveCount(1);
    await expect(counter.number).toHaveValue("000001");
    await expect(counter.primary(/Open sale 1/)).toBeEnabled();
    await counter.press("Enter");
    await expect(page).toHaveURL(/\/today/);
    await expect(page.getByText("Sale 1").first()).toBeVisible();
    await page.keyboard.press("F1");
  });

  await test.step("the number of an unknown sale is reported", async () => {
    await scan(page, "000999");
    await expect(page.getByText("There is no sale 999 here.")).toBeVisible();
    await counter.press("Escape");
  });

  await test.step("a bill's barcode opens its biller, account and amount", async () => {
    await scan(page, "4159520000000011802030001234567390200000125509620261215");
    await expect(fits.getByRole("listitem").first()).toContainText(
      /EEGSA.*30001234567.*Q\s125\.50/,
    );
    await isUnsold();
    await counter.press("Enter");
    await expect(page.getByRole("textbox", { name: "Account number" })).toHaveValue(/3000/);
    await counter.press("Enter");
    await expect(page.getByText("Amount due")).toBeVisible();
    await page.keyboard.press("F1");
  });

  await test.step("a bill of an unknown biller and a card's PIN are reported", async () => {
    await counter.press("Escape");
    await scan(page, "4159520000000035802030001234567");
    await expect(page.getByText(/its biller is unknown/)).toBeVisible();
    await counter.press("Escape");
    await scan(page, "12345678901234567890");
    await expect(page.getByText("Barcode not recognized")).toBeVisible();
    await isUnsold();
    await counter.press("Escape");
  });

  await test.step("a pasted contact file lists its numbers with their names", async () => {
    await counter.number.evaluate((field) => {
      const clipboardData = new DataTransfer();
      const card = "BEGIN:VCARD\nFN:Ana\nTEL;TYPE=CELL:+50251234567\nTEL:52345678\nEND:VCARD";
      clipboardData.setData("text", card);
      const paste = { clipboardData, bubbles: true, cancelable: true };
      field.dispatchEvent(new ClipboardEvent("paste", paste));
    });
    const contacts = page.getByRole("region", { name: "Numbers of the contact" });
    await expect(contacts.getByRole("listitem")).toHaveCount(2);
    await counter.press("ArrowDown", "Enter");
    await expect(counter.work.getByText("+502 5123 4567").first()).toBeVisible();
    await isUnsold();
  });
});

test("the number on an eSIM's card opens the eSIM's plans", { tag: "@thorough" }, async ({
  counter,
  page,
  shop,
}) => {
  await counter.type("spain esim");
  await expect(page.getByRole("region", { name: "Results" })).toContainText(/Spain/);
  await counter.press("Enter");
  await expect(page.getByRole("heading", { name: /plan/i })).toBeVisible();
  await expect(counter.tile(/1 GB, 7 days/).first()).toBeVisible();
  await counter.press("1");
  await expect(page.getByText("*#06#")).toBeVisible();
  await counter.press("Enter");
  await expect(counter.primary(/Take payment/)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  const { list } = await shop.v1("/esim/purchases?_limit=10&_offset=0");
  const iccid = (list as { confirmation: { iccid: string } }[])[0]?.confirmation.iccid ?? "";
  await page.keyboard.type(iccid);
  await expect(counter.primary(/Show plans/)).toBeEnabled();
  await counter.press("Enter");
  await expect(page.getByRole("textbox", { name: /ICCID/ })).toHaveValue(/89/);
});

test("no key is lost on a slow machine while the screen lags behind", {
  tag: "@thorough",
}, async ({ counter, page }) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  const brand = page.getByRole("textbox", { name: "Search gift cards" });

  await test.step("the clerk opens several families, and types letters immediately after each key", async () => {
    for (const family of ["F4", "F3", "F1"]) {
      await page.keyboard.press(family);
      await page.keyboard.press("F2");
      await page.keyboard.type("walm");
      await expect(counter.tile(/^Walmart/).first()).toBeVisible();
      await expect(brand).toHaveValue("walm");
      await counter.press("Escape");
    }
    await counter.press("F1");
    await counter.isReady();
  });

  await test.step("letters typed during a payment reach their family afterwards", async () => {
    await counter.type("cem");
    await expect(counter.primary(/Continue with Cemaco/)).toBeEnabled();
    await counter.press("Enter");
    await expect(counter.tile(/Q ?\d+/).first()).toBeVisible();
    await counter.press("1");
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    const answer = Promise.withResolvers<void>();
    await page.route("**/pos/sales", async (route) => {
      await answer.promise;
      await route.continue();
    });
    const paid = page.waitForResponse("**/pos/sales");
    await counter.press("Enter");
    await page.keyboard.type("walm");
    answer.resolve();
    await paid;
    await expect(counter.number).toHaveValue(/w/);
    await page.keyboard.press("F2");
    await expect(brand).toHaveValue("walm");
  });
});
