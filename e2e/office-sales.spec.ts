import { expect, OWNER_PIN, openShift, test } from "./fixtures.ts";
import { expectNoFault } from "./support/faultless.ts";
import { inShop } from "./support/shop-data.ts";

interface SoldLine {
  readonly productType: string;
  readonly offerId: string;
  readonly recipientPhoneNumber?: string;
}

test("an owner finds sales, decides a reconciliation case, pauses a brand and reads a Z report", async ({
  page,
  shop,
  signIn,
}) => {
  await openOwner();
  const pos = `${shop.url}/pos`;
  const post = async (path: string, data: object) =>
    (await page.request.post(`${pos}${path}`, { data })).json();

  async function openOwner() {
    await signIn.as("Rosa", OWNER_PIN);
    await expect(
      page.getByRole("textbox", { name: "Number, name, product or barcode" }),
    ).toBeVisible();
  }
  async function sell(line: SoldLine) {
    const { price } = await post("/quotes", { offerId: line.offerId });
    const ids = { saleId: crypto.randomUUID(), transactionId: crypto.randomUUID() };
    const { transactionId, saleId } = ids;
    const lines = [{ transactionId, price, ...line }];
    await post("/sales", { saleId, lines, tenders: [{ kind: "CASH", tendered: price }] });
    const url = `${pos}/sales/${saleId}`;
    await expect
      .poll(async () => (await (await page.request.get(url)).json()).lines[0].status)
      .toMatch(/DONE|FAILED/);
    return (await (await page.request.get(url)).json()).lines[0];
  }
  const voucher = await sell({ productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" });
  const esim = await sell({ productType: "ESIM", offerId: "AIRALO_ES_1GB_7D" });
  const refused = await sell({
    productType: "TOPUP",
    offerId: "TIGO_GT_TOPUP_25",
    recipientPhoneNumber: "+50251239001",
  });
  await inShop(shop.dataDir, ({ transactor }) =>
    transactor.transact("default", async (tx) => {
      await tx
        .updateTable("transactions")
        .set({ needs_reconciliation: 1 })
        .where("transaction_id", "=", refused.transactionId)
        .execute();
    }),
  );

  await page.goto(`${shop.url}/#/office/sales`);
  const main = page.getByRole("main");
  const list = page.getByRole("list", { name: "Sales" }).getByRole("listitem");
  await expect(list).toHaveCount(3);
  await expectNoFault(page);
  const search = page.getByRole("searchbox");
  await search.fill(voucher.confirmationNumber);
  await search.press("Enter");
  await expect(list).toHaveCount(1);
  await search.fill(esim.esim.iccid);
  await search.press("Enter");
  await expect(list.first()).toContainText(/Airalo/);
  await list.first().getByRole("button").click();
  const events = page.getByRole("list", { name: "Timeline" });
  await expect(events).toContainText("Sent to the provider");
  await expect(events).toContainText("Rosa");
  await main.getByRole("button", { name: "Refund the eSIM" }).click();
  await main.getByRole("button", { name: "Yes, request the refund" }).click();
  await expect(list.first()).toContainText("Canceled");
  await expect(main.getByText(/^Refund due: /)).toBeVisible();
  await main.getByRole("button", { name: /^Refund / }).click();
  await expect(main.getByText(/^Refunded: /)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoFault(page);
  await page.getByRole("button", { name: "Back to the list" }).click();

  await main.getByRole("button", { name: "Needs action" }).click();
  await expect(page.getByRole("heading", { name: /Tigo/ })).toBeVisible();
  await main.getByRole("button", { name: "The provider did not deliver it" }).click();
  await expect(main.getByText("Enter the reason first.")).toBeVisible();
  await main.getByLabel("Reason").fill("Support says so");
  await expectNoFault(page);
  await main.getByRole("button", { name: "The provider did not deliver it" }).click();
  await expect(main.getByText("No unconfirmed sales")).toBeVisible();

  await main.getByRole("button", { name: "Paused brands" }).click();
  await main.getByRole("combobox", { name: "Brand" }).fill("Tigo");
  await page.getByRole("option", { name: "Tigo" }).first().click();
  await main.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(main.getByText("paused manually")).toBeVisible();
  await main.getByRole("button", { name: "Resume" }).click();
  await expect(main.getByText("No brand is paused.")).toBeVisible();

  const { shift } = await (await page.request.get(`${pos}/shifts/current`)).json();
  await post(`/shifts/${shift.shiftId}/close`, { counted: 0 });
  await openShift(shop, "Rosa", OWNER_PIN);
  await main.getByRole("button", { name: "Z reports" }).click();
  await main.getByRole("button", { name: /Z report 1/ }).click();
  await main.getByRole("button", { name: "Print", exact: true }).click();
  const day = new Date().getFullYear() - 1;
  await main.getByLabel("From").fill(`${day}-01-01`);
  await main.getByLabel("To").fill(`${day}-01-02`);
  await expect(main.getByText("No shift was closed in this period.")).toBeVisible();
});
