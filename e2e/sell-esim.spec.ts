import { expect, test } from "./fixtures.ts";
import { countedKeys } from "./support/counted-keys.ts";

test("Ana sells an eSIM for Spain, and adds a plan to it with a scanner", { tag: "@core" }, async ({
  counter,
  page,
  shop,
}) => {
  await test.step("Ana picks a destination and a plan for a new eSIM, and the till asks about the phone", async () => {
    counter.keys = 0;
    await counter.press("F3");
    await expect(page.getByRole("heading", { name: "Choose a destination" })).toBeVisible();
    await counter.type("spa");
    await expect(counter.primary(/Continue with Spain/)).toBeEnabled();
    await counter.press("Enter");
    await expect(counter.tile(/1 GB, 7 days/).first()).toBeVisible();
    await counter.press("1");
    await expect(page.getByText("*#06#")).toBeVisible();
    await counter.press("Enter");
    await expect(page.getByText("New eSIM: Spain")).toBeVisible();
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await counter.press("Enter");
    expect(counter.keys).toBe(countedKeys("New eSIM, among eSIMs alone"));
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
    await expect(counter.panel.getByRole("img", { name: /customer’s phone/ })).toBeVisible();
    await expect(counter.panel.getByText("Activation code")).toBeVisible();
  });

  const { list } = await shop.v1("/esim/purchases?_limit=10&_offset=0");
  const iccid = (list as { confirmation: { iccid: string } }[])[0]?.confirmation.iccid ?? "";

  await test.step("a wrong digit is reported before the sale", async () => {
    await counter.press("F3", "Alt+i");
    const wrong = iccid.slice(0, -1) + String((Number(iccid.at(-1)) + 1) % 10);
    await page.keyboard.type(wrong);
    await expect(page.getByText(/A digit is wrong/)).toBeVisible();
    await counter.press("Enter", "Escape");
  });

  await test.step("a scanner types the digits and Enter: the remaining data is shown, then plans", async () => {
    await counter.press("Alt+i");
    await page.keyboard.type(iccid);
    await expect(page.getByRole("region", { name: "Left on this eSIM" })).toContainText(
      /not installed yet/,
    );
    await counter.press("Enter");
    await expect(counter.tile(/1 GB, 7 days/).first()).toBeVisible();
    await expect(page.getByRole("region", { name: "Left on this eSIM" })).toBeVisible();
    await counter.press("1");
  });

  await test.step("the till does not ask about the phone, and adds the plan to that eSIM", async () => {
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await counter.press("Enter");
    await expect(counter.panel.getByText("Sale 2", { exact: true })).toBeVisible();
    await expect(counter.panel.getByRole("listitem").getByText("Delivered")).toHaveCount(1);
    const added = `Added to the eSIM …${iccid.slice(-4)}, nothing to scan`;
    await expect(counter.panel.getByText(added)).toBeVisible();
    expect((await shop.v1(`/esim/${iccid}/plans`)).total).toBe(2);
  });
});

test("a regional plan lists its countries before and after the sale", {
  tag: "@thorough",
}, async ({ counter, page }) => {
  await test.step("a search for a country finds the regions that include it", async () => {
    await counter.press("F3");
    await counter.type("jamaica");
    await expect(counter.tile(/^Jamaica/)).toBeVisible();
    await counter.tile(/^Caribbean/).click();
    // Expects no plan of a region that does not contain the country.
    await expect(counter.tile(/Caribbean · 26 countries/).first()).toBeVisible();
    await expect(counter.tile(/South America/)).toHaveCount(0);
  });

  await test.step("the confirm step lists all countries of the region", async () => {
    await counter.press("1", "Enter");
    await page.getByText(/^Works in \d+ countries$/).click();
    await expect(page.getByText(/Dominican Republic, .*Jamaica, /)).toBeVisible();
  });

  await test.step("the sale lists the countries as well, and its name states the coverage", async () => {
    await counter.primary(/Take payment/).click();
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
    const sale = page.getByRole("region", { name: "Sale 1", exact: true });
    await expect(sale.getByText("Caribbean", { exact: true })).toBeVisible();
    await counter.panel.getByText(/^Works in \d+ countries$/).click();
    await expect(counter.panel.getByText(/Dominican Republic, .*Jamaica, /)).toBeVisible();
    await counter.press("F6");
    await expect(page.getByRole("button", { name: /Caribbean/ }).first()).toBeVisible();
  });
});

test("a search for a country finds the regional eSIMs that cover it", { tag: "@thorough" }, async ({
  counter,
  page,
}) => {
  await counter.isReady();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("jamaica");
  await page
    .getByRole("option", { name: /Caribbean · \d+ countries/ })
    .first()
    .click();
  await expect(counter.tile(/^Caribbean from/)).toBeVisible();
});

test("the change and the phone's QR code are visible together", {
  tag: "@thorough",
}, async ({ counter, page }) => {
  await counter.press("F3");
  await counter.type("spa");
  await expect(counter.primary(/Continue with Spain/)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.tile(/1 GB, 7 days/).first()).toBeVisible();
  await counter.press("1", "Enter");
  await expect(counter.primary(/Take payment/)).toBeEnabled();
  await page.keyboard.type("100");
  await counter.press("Enter");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  const code = counter.panel.getByRole("img", { name: /customer’s phone/ });
  await expect(code).toBeInViewport({ ratio: 1 });
  await expect(counter.panel.getByText("Change", { exact: true })).toBeInViewport({ ratio: 1 });
  await page.screenshot({ path: "artifacts/screens/esim-with-change.png" });
});
