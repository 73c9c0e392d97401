import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DamagedRow } from "../../../db/checksums.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { readOfferVersions } from "./offer-versions.ts";

let shop: TestGateway;
beforeEach(async () => {
  shop = await startTestGateway();
});
afterEach(() => shop.close());

const OFFER = "TIGO_GT_TOPUP_25";

async function buy(transactionId: string, offerId = OFFER): Promise<void> {
  const body = { offerId, transactionId, recipientPhoneNumber: "+50251234567" };
  expect((await shop.v1("POST", "/topups/purchases", body)).status).toBe(200);
}

const listVersions = () =>
  shop.gateway.context.db.selectFrom("offer_versions").selectAll().execute();

describe("an offer that was sold", () => {
  it("exists only once in the database, for all its purchases", async () => {
    await Promise.all(["a", "b", "c"].map((id) => buy(id)));
    await buy("d");
    expect(await listVersions()).toHaveLength(1);
    await buy("e", "TIGO_GT_TOPUP_50");
    expect(await listVersions()).toHaveLength(2);
  });

  it("causes an error if its text does not match its digest", async () => {
    await buy("a");
    const { accountId, db, transactor } = shop.gateway.context;
    const scope = { accountId, environment: "test" } as const;
    const [version] = await listVersions();
    const text = version?.offer_json.replace("2500", "2600") ?? "";
    await transactor.transact(accountId, (tx) =>
      tx
        .insertInto("offer_versions")
        .values({ account_id: accountId, environment: "test", digest: "other", offer_json: text })
        .execute(),
    );
    const read = readOfferVersions(db, scope, [{ family: "TOPUP", digest: "other" }]);
    await expect(read).rejects.toThrow(DamagedRow);
  });
});
