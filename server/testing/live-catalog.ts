import type { TopupOffer } from "../contract/v1/offers.ts";
import type { Gateway } from "../index.ts";
import type { Clock } from "../lib/clock.ts";
import type { TestGateway } from "./test-gateway.ts";

/**
 * Copies sandbox offers to the live environment, so that the environments differ only in their
 * keys.
 */
export async function giveLiveCatalog(
  { gateway, clock }: { gateway: Gateway; clock: Pick<Clock, "now"> },
  offerIds: string[],
): Promise<void> {
  const { db, transactor } = gateway.context;
  const offers = await db
    .selectFrom("offers")
    .selectAll()
    .where("environment", "=", "test")
    .where("offer_id", "in", offerIds)
    .execute();
  const brands = await db
    .selectFrom("brands")
    .selectAll()
    .where("environment", "=", "test")
    .where("brand", "in", [...new Set(offers.map(({ brand }) => brand))])
    .execute();
  const at = clock.now();
  await transactor.transact("default", async (tx) => {
    await tx
      .insertInto("catalogs")
      .values({
        account_id: "default",
        environment: "live",
        version: 1,
        source: "test",
        updated_at: at,
      })
      .execute();
    const environment = "live" as const;
    await tx
      .insertInto("brands")
      .values(brands.map((row) => ({ ...row, environment, checksum: null })))
      .execute();
    await tx
      .insertInto("offers")
      .values(offers.map((row) => ({ ...row, environment, checksum: null })))
      .execute();
  });
}

/** Returns the sandbox offers as the catalog states them, in the order of `/v1`. */
export async function readSandboxOffers(gateway: TestGateway): Promise<TopupOffer[]> {
  const { offers } = await gateway.gateway.context.catalog.getSnapshot({
    accountId: "default",
    environment: "test",
  });
  return offers.filter((offer) => offer.productType === "TOPUP");
}
