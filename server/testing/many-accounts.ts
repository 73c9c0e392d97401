import type { Gateway } from "../index.ts";
import { openWallet } from "../modules/books/wallet/index.ts";

const FIRST = { accountId: "default", environment: "test" } as const;
const FUNDS = 1e12;

/**
 * Creates accounts on PostgreSQL, each with one offer and money. The first account exists already.
 * @returns an API key of each account
 */
export async function makeAccounts(
  { context }: Gateway,
  count: number,
  offerId: string,
): Promise<string[]> {
  const { db, transactor, recharges, keys } = context;
  await transactor.transact("default", (tx) => recharges.rechargeSandbox(tx, FIRST, FUNDS));
  const made = [(await keys.create(FIRST, "bench")).key];
  const rowOf = {
    account: await db.selectFrom("accounts").selectAll().executeTakeFirstOrThrow(),
    settings: await db.selectFrom("environment_settings").selectAll().executeTakeFirstOrThrow(),
    catalog: await db
      .selectFrom("catalogs")
      .selectAll()
      .where("environment", "=", "test")
      .executeTakeFirstOrThrow(),
    offer: await db
      .selectFrom("offers")
      .selectAll()
      .where("offer_id", "=", offerId)
      .executeTakeFirstOrThrow(),
    brand: await db
      .selectFrom("brands")
      .selectAll()
      .where("brand", "=", "TIGO")
      .executeTakeFirstOrThrow(),
  };
  for (let number = 1; number < count; number++) {
    const accountId = `shop-${number}`;
    const scope = { accountId, environment: "test" } as const;
    const own = { account_id: accountId };
    await transactor.transact("default", async (tx) => {
      await tx
        .insertInto("accounts")
        .values({ ...rowOf.account, ...own })
        .execute();
      for (const environment of ["test", "live"] as const) {
        await tx
          .insertInto("environment_settings")
          .values({ ...rowOf.settings, ...own, environment })
          .execute();
        await openWallet(tx, { accountId, environment }, rowOf.account.wallet_currency);
      }
      await tx
        .insertInto("catalogs")
        .values({ ...rowOf.catalog, ...own })
        .execute();
      await tx
        .insertInto("brands")
        .values({ ...rowOf.brand, ...own })
        .execute();
      await tx
        .insertInto("offers")
        .values({ ...rowOf.offer, ...own })
        .execute();
      await recharges.rechargeSandbox(tx, scope, FUNDS);
    });
    made.push((await keys.create(scope, "bench")).key);
  }
  return made;
}
