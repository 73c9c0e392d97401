import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./fixtures.ts";
import { ApiDocs } from "./pages/api-docs.ts";

test("an integrator authorizes and tries calls at /docs/api", async ({ freshShop, page }) => {
  const foreign: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(freshShop.url) && !/^(data|blob):/.test(url)) foreign.push(url);
  });
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  const key = await freshShop.admin("keys", "create", "--env", "test", "--name", "docs");
  const docs = new ApiDocs(page);

  await test.step("the page lists the operations", async () => {
    await page.goto(`${freshShop.url}/docs/api`);
    await expect(page.getByRole("heading", { name: /Tillgate gateway/ })).toBeVisible();
    await expect(docs.operation("createTopupPurchase")).toBeVisible();
  });

  await test.step("the page has no serious accessibility violation", async () => {
    // The page's library nests a copy button in each operation's button, which this rule forbids.
    const axe = new AxeBuilder({ page }).disableRules(["nested-interactive"]);
    const { violations } = await axe.analyze();
    const serious = violations.filter(({ impact }) => /serious|critical/.test(impact ?? ""));
    expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });

  await test.step("with the key, GET /balance returns the balance", async () => {
    await docs.authorize(key);
    const answer = await docs.execute("getBalance");
    await expect(answer.locator("tbody .response-col_status").first()).toHaveText(/200/);
    await expect(answer).toContainText('"availableBalance": 100000');
  });

  await test.step("a purchase works as in its example", async () => {
    const answer = await docs.execute("createTopupPurchase");
    await expect(answer.locator("tbody .response-col_status").first()).toHaveText(/200/);
    await expect(answer).toContainText('"transactionId": "order-1"');
  });

  await test.step("the page forgets the key when it is closed", async () => {
    expect(complaints).toEqual([]);
    const kept = await page.evaluate(() => JSON.stringify([localStorage, document.cookie]));
    expect(kept).not.toContain(key);
    await page.reload();
    const answer = await docs.execute("getBalance");
    await expect(answer.locator("tbody .response-col_status").first()).toHaveText(/401/);
  });

  expect(foreign).toEqual([]);
});

test("an integrator reads and searches the guides on a phone, in light and in dark", async ({
  freshShop,
  page,
}) => {
  const foreign: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(freshShop.url) && !/^(data|blob):/.test(url)) foreign.push(url);
  });
  await page.setViewportSize({ width: 390, height: 844 });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const path of [
      "",
      "/integrate",
      "/run-the-shop",
      "/rules",
      "/samples",
      "/search?q=webhook",
    ]) {
      await page.goto(`${freshShop.url}/docs${path}`);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [path, id, nodes[0]?.html])).toEqual([]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([path, width]).toEqual([path, 390]);
    }
  }
  await page.goto(`${freshShop.url}/docs`);
  await page.getByRole("searchbox").fill("test outcomes");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Test outcomes", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Test outcomes" })).toBeInViewport();
  await page.getByRole("link", { name: "API explorer" }).first().click();
  await expect(page.getByRole("heading", { name: /Tillgate gateway/ })).toBeVisible();
  expect(foreign).toEqual([]);
});
