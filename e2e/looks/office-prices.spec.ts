import { expect, test } from "../fixtures.ts";
import { openShop } from "../support/look-shop.ts";
import { lookAtOffice, OFFICE_LANGUAGES } from "../support/looks.ts";

const RULE = {
  ruleId: "gift-cards",
  enabled: true,
  target: { family: "VOUCHER" },
  class: "STANDARD",
  channel: "ANY",
  basis: "COST",
  how: "MARKUP",
  percent: "8",
  rounding: { direction: "UP", bands: [{ step: 100, offset: 50 }] },
  from: "2026-01-01T06:00:00.000Z",
};
const { from: _from, ...ALWAYS } = RULE;
const RULES = [
  RULE,
  { ...ALWAYS, ruleId: "weekend", target: { brand: "AMAZON" }, class: "PROMOTION", percent: "2.5" },
  { ...ALWAYS, ruleId: "off", target: { country: "GT" }, enabled: false, channel: "TILL" },
];

for (const language of OFFICE_LANGUAGES) {
  test(`prices in ${language}`, async ({ page, freshShop }) => {
    await openShop(page, freshShop, { language });
    const api = `${freshShop.url}/pos/prices/test`;
    const { list } = await (await page.request.get(api)).json();
    const saved = await page.request.put(api, {
      data: { list: { ...list, rules: RULES }, base: 0 },
    });
    expect(saved.ok()).toBe(true);
    const look = (name: string) => lookAtOffice(page, `office-prices-${name}-${language}`);
    await page.goto(`${freshShop.url}/#/office/prices`);
    const rules = page.locator("main ol > li");
    await expect(rules).toHaveCount(4);
    await look("rules");
    await rules.first().getByRole("button").first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await look("form");
    await page.keyboard.press("Escape");
    await rules.first().getByRole("button").last().click();
    await page.locator("main section button").last().click();
    await expect(page.getByRole("dialog").getByRole("row")).toHaveCount(11);
    await look("preview");
    await page.keyboard.press("Escape");
    await page.goto(`${freshShop.url}/#/office/prices?view=why&offer=TIGO_GT_TOPUP_RANGE`);
    await expect(page.locator("main dl")).toBeVisible();
    await look("why");
    const set = { ...ALWAYS, ruleId: "set", target: { offerId: "TIGO_GT_TOPUP_25" } };
    const { percent: _percent, ...cheap } = { ...set, how: "SET", amount: 100 };
    const data = { list: { ...list, floor: { aboveCostPercent: "0" }, rules: [cheap] }, base: 1 };
    expect((await page.request.put(api, { data })).ok()).toBe(true);
    await page.goto(`${freshShop.url}/#/office/prices?view=blocked`);
    await expect(page.locator("main ul button")).toHaveCount(3);
    await look("blocked");
  });
}
