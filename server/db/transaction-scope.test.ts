import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { InsideTransaction } from "./transaction-scope.ts";

let till: TestGateway;
beforeEach(async () => {
  till = await startTestGateway();
});
afterEach(() => till.close());

function countAccounts(db: Pick<TestGateway["gateway"]["context"]["db"], "selectFrom">) {
  return db.selectFrom("accounts").select("account_id").execute();
}

describe("inside a transaction", () => {
  it("another one is refused at once, with the remedy, and the first can go on", async () => {
    const { transactor } = till.gateway.context;
    const accounts = await transactor.transact(async (tx) => {
      const inner = transactor.transact((nested) => countAccounts(nested));
      await expect(inner).rejects.toThrow(InsideTransaction);
      await expect(inner).rejects.toThrow(/Pass the transaction on/);
      return countAccounts(tx);
    });
    expect(accounts).toHaveLength(1);
  });

  it("the database itself is refused at once, however deep the call", async () => {
    const { transactor, db } = till.gateway.context;
    const failed = transactor.transact(async (tx) => {
      await countAccounts(tx);
      await new Promise(setImmediate);
      return countAccounts(db);
    });
    await expect(failed).rejects.toThrow(InsideTransaction);
    // What was refused was rolled back, and nobody waits.
    expect(await transactor.transact((tx) => countAccounts(tx))).toHaveLength(1);
  });

  it("another gateway's database may be used", async () => {
    const other = await startTestGateway();
    const { transactor } = till.gateway.context;
    const found = await transactor.transact(() =>
      other.gateway.context.transactor.transact((tx) => countAccounts(tx)),
    );
    expect(found).toHaveLength(1);
    await other.close();
  });
});

describe("after a transaction", () => {
  it("what it began and did not wait for may use the database", async () => {
    const { transactor, db } = till.gateway.context;
    let later: Promise<unknown[]> | undefined;
    let begin = () => {};
    const ended = new Promise<void>((resolve) => {
      begin = resolve;
    });
    await transactor.transact(async (tx) => {
      later = ended.then(() => countAccounts(db));
      await countAccounts(tx);
    });
    begin();
    expect(await later).toHaveLength(1);
  });
});
