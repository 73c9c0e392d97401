import { expect, test } from "../fixtures.ts";
import { openShop, press, tile } from "../support/look-shop.ts";
import { lookAt } from "../support/looks.ts";
import { sellUsualThings } from "../support/usual-sales.ts";

for (const language of ["fr", "ar"] as const) {
  test(`the counter at rest, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `${name}-${language}`);
    await openShop(page, freshShop, { language });
    await look("rest-new");
    await sellUsualThings(page, 9);
    await page.reload();
    await expect(tile(page, 6)).toBeVisible();
    await look("rest");
    await press(page, "2");
    await look("rest-digit");
  });
}
