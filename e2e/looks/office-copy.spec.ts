import { expect, test } from "../fixtures.ts";
import { openShop } from "../support/look-shop.ts";
import { lookAtOffice, OFFICE_LANGUAGES } from "../support/looks.ts";
import { makeReady, NEW_PIN, startProvider } from "../support/provider.ts";
import { endShop } from "../support/shop-process.ts";

const RULE = {
  enabled: true,
  class: "STANDARD",
  channel: "ANY",
  basis: "COST",
  how: "MARKUP",
  percent: "8",
};
const RULES = [
  { ...RULE, ruleId: "cards", target: { family: "VOUCHER" }, note: "Cards" },
  { ...RULE, ruleId: "tigo", target: { brand: "TIGO" }, class: "PROMOTION", percent: "2.5" },
  { ...RULE, ruleId: "amazon", target: { brand: "AMAZON" } },
];

for (const language of OFFICE_LANGUAGES) {
  test(`test compared with live in ${language}`, async ({ page, freshData, freshShop }) => {
    await openShop(page, freshShop, { language });
    const provider = await startProvider(freshData, ["TIGO", "CEMACO"]);
    await makeReady(freshShop, provider);
    const pos = `${freshShop.url}/pos`;
    const names = await (await page.request.get(`${pos}/staff/names`)).json();
    const { staffId } = names.list[0];
    await page.request.post(`${pos}/session`, { data: { staffId, pin: NEW_PIN } });
    const { list } = await (await page.request.get(`${pos}/prices/test`)).json();
    const changes = [
      page.request.put(`${pos}/prices/test`, {
        data: { list: { ...list, rules: RULES, fxBufferPercent: "1.5" }, base: 0 },
      }),
      page.request.put(`${pos}/wallet/alert`, { data: { environment: "test", lowAmount: 5000 } }),
      page.request.post(`${pos}/catalog/test/switches`, {
        data: { target: { brand: "CEMACO" }, enabled: false },
      }),
      page.request.put(`${pos}/catalog/test/pins`, {
        data: { family: "TOPUP", offerIds: ["TIGO_GT_TOPUP_25", "CLARO_GT_TOPUP_25"] },
      }),
    ];
    for (const change of await Promise.all(changes)) {
      expect(change.ok(), await change.text()).toBe(true);
    }
    const look = (name: string) => lookAtOffice(page, `office-copy-${name}-${language}`);
    await page.goto(`${freshShop.url}/#/office/live?view=copy`);
    await page.reload();
    const boxes = page.locator("main li input[type=checkbox]");
    await expect(boxes).toHaveCount(7);
    await look("lines");
    await boxes.first().check();
    await boxes.nth(4).check();
    await page.locator("main button").last().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await look("asked");
    await page.keyboard.press("Escape");
    await page.goto(`${freshShop.url}/#/office/live?view=gateway`);
    await page.locator("#gateway-hook").scrollIntoViewIfNeeded();
    await look("webhook");
    await endShop(provider.gateway);
  });
}
