import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import type { Tx } from "./database.ts";
import { AfterTransaction, InsideTransaction } from "./transaction-scope.ts";

let till: TestGateway;
beforeEach(async () => {
  till = await startTestGateway();
});
afterEach(() => till.close());

function countAccounts(db: Pick<TestGateway["gateway"]["context"]["db"], "selectFrom">) {
  return db.selectFrom("accounts").select("account_id").execute();
}

describe("transaction whose body starts other work", () => {
  it("refuses a nested transaction at once, names the remedy, and can continue", async () => {
    const { transactor } = till.gateway.context;
    const accounts = await transactor.transact("default", async (tx) => {
      const inner = transactor.transact("default", (nested) => countAccounts(nested));
      await expect(inner).rejects.toThrow(InsideTransaction);
      await expect(inner).rejects.toThrow(/Pass the transaction on/);
      return countAccounts(tx);
    });
    expect(accounts).toHaveLength(1);
  });

  it("refuses direct use of the database at once, even after an asynchronous step", async () => {
    const { transactor, db } = till.gateway.context;
    const failed = transactor.transact("default", async (tx) => {
      await countAccounts(tx);
      await new Promise(setImmediate);
      return countAccounts(db);
    });
    await expect(failed).rejects.toThrow(InsideTransaction);
    // The body was rolled back, and no transaction waits.
    expect(await transactor.transact("default", (tx) => countAccounts(tx))).toHaveLength(1);
  });

  it("permits the use of another gateway's database", async () => {
    const other = await startTestGateway();
    const { transactor } = till.gateway.context;
    const found = await transactor.transact("default", () =>
      other.gateway.context.transactor.transact("default", (tx) => countAccounts(tx)),
    );
    expect(found).toHaveLength(1);
    await other.close();
  });
});

describe("work that a transaction did not await", () => {
  it("may use the database after the transaction has ended", async () => {
    const { transactor, db } = till.gateway.context;
    let later: Promise<unknown[]> | undefined;
    let begin = () => {};
    const ended = new Promise<void>((resolve) => {
      begin = resolve;
    });
    await transactor.transact("default", async (tx) => {
      later = ended.then(() => countAccounts(db));
      await countAccounts(tx);
    });
    begin();
    expect(await later).toHaveLength(1);
  });
});

function addAccount(tx: Tx, account_id: string) {
  const row = { account_id, wallet_currency: "USD", wallet_currency_divisor: 100, created_at: 0 };
  return tx.insertInto("accounts").values(row).execute();
}

async function accountIds(): Promise<string[]> {
  const rows = await countAccounts(till.gateway.context.db);
  return rows.map((row) => row.account_id).filter((id) => id !== "default");
}

describe("transaction", () => {
  it("stores all its changes on the disk if it succeeds, and none if it fails", async () => {
    const { transactor } = till.gateway.context;
    await transactor.transact("default", async (tx) => {
      await addAccount(tx, "a");
      await addAccount(tx, "b");
    });
    const failed = transactor.transact("default", async (tx) => {
      await addAccount(tx, "c");
      throw new Error("changed my mind");
    });
    await expect(failed).rejects.toThrow("changed my mind");
    expect(await accountIds()).toEqual(["a", "b"]);
  });

  it("refuses work after its end", async () => {
    const { transactor } = till.gateway.context;
    let kept: Tx | undefined;
    await transactor.transact("default", async (tx) => {
      kept = tx;
    });
    await expect(kept && addAccount(kept, "late")).rejects.toThrow(/end|already committed/);
    expect(await accountIds()).toEqual([]);
  });

  it("commits work that was started but not awaited, or refuses the work with the remedy", async () => {
    const { transactor } = till.gateway.context;
    const idsBegun = ["a", "b", "c"];
    let begun: Promise<PromiseSettledResult<unknown>[]> | undefined;
    await transactor.transact("default", async (tx) => {
      begun = Promise.allSettled(idsBegun.map((id) => addAccount(tx, id)));
    });
    const results = (await begun) ?? [];
    const refused = results.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused).not.toEqual([]);
    for (const reason of refused) {
      expect(reason).toBeInstanceOf(AfterTransaction);
      expect(reason).toMatchObject({ message: expect.stringContaining("Wait inside") });
    }
    const stored = idsBegun.filter((_, index) => results[index]?.status === "fulfilled");
    expect(await accountIds()).toEqual(stored);
  });

  it("returns the connection to the next transaction after success or failure", async () => {
    const { transactor } = till.gateway.context;
    await Promise.allSettled([
      transactor.transact("default", async (tx) => {
        await addAccount(tx, "a");
        throw new Error("changed my mind");
      }),
      transactor.transact("default", (tx) => addAccount(tx, "b")),
      transactor.transact("default", async (tx) => {
        await addAccount(tx, "b");
      }),
      transactor.transact("default", (tx) => addAccount(tx, "c")),
    ]);
    expect(await accountIds()).toEqual(["b", "c"]);
  });
});
