import fc from "fast-check";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_ACCOUNT } from "../../../db/account-lock.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { createTransactor, type Transactor } from "../../../db/transactor.ts";
import { openEmptyDatabase } from "../../../testing/empty-database.ts";
import {
  capture,
  findPart,
  getBalances,
  hold,
  InsufficientFunds,
  moveHold,
  notePart,
  openWallet,
  recharge,
  release,
} from "./index.ts";

let db: Db;
let remove: () => Promise<void>;
let transactor: Transactor;
let accounts = 0;

beforeAll(async () => {
  ({ db, remove } = await openEmptyDatabase());
  transactor = createTransactor(db);
});
afterAll(async () => {
  await db.destroy();
  await remove();
});

interface Scope {
  accountId: string;
  environment: "test" | "live";
}

async function openAccount(): Promise<Scope> {
  accounts += 1;
  const accountId = `account-${accounts}`;
  const scope = { accountId, environment: "test" } as const;
  await transactor.transact(NO_ACCOUNT, async (tx) => {
    const account = { account_id: accountId, wallet_currency: "USD", wallet_currency_divisor: 100 };
    await tx
      .insertInto("accounts")
      .values({ ...account, created_at: 0 })
      .execute();
    await openWallet(tx, scope, "USD");
  });
  return scope;
}

async function writeTransaction(scope: Scope, transactionId: string, amount: number) {
  await transactor.transact(scope.accountId, (tx) =>
    tx
      .insertInto("transactions")
      .values({
        account_id: scope.accountId,
        environment: scope.environment,
        transaction_id: transactionId,
        type: "DEBIT",
        product_type: "TOPUP",
        status: "ACCEPTED",
        amount,
        currency: "USD",
        currency_divisor: 100,
        created_at: 0,
        updated_at: 0,
        needs_reconciliation: 0,
      })
      .execute(),
  );
}

const MOVES = { hold, capture, release, recharge };
type Move = keyof typeof MOVES;
/**
 * Matches the error of a second settlement, caused by the unique index or by the lack of held
 * money.
 */
const SETTLED = /unique|the wallet holds/i;

function move(kind: Move, scope: Scope, transactionId: string, amount: number): Promise<void> {
  const movement = { ...scope, transactionId, amount, at: 0 };
  return transactor.transact(scope.accountId, (tx) => MOVES[kind](tx, movement));
}

async function expectSoundBooks(scope: Scope): Promise<void> {
  const { rows } = await sql<{ name: string; balance: number; total: number; last: number }>`
    select a.name, a.balance, coalesce(sum(e.amount), 0) as total,
      coalesce((select balance_after from ledger_entries l where l.account_id = a.account_id
        and l.environment = a.environment and l.name = a.name
        order by posting_id desc limit 1), 0) as last
    from ledger_accounts a left join ledger_entries e using (account_id, environment, name)
    where a.account_id = ${scope.accountId} group by a.account_id, a.environment, a.name`.execute(
    db,
  );
  expect(rows).toHaveLength(4);
  for (const { name, balance, total, last } of rows) {
    expect({ name, total, last }).toEqual({ name, total: balance, last: balance });
    if (name.startsWith("wallet.")) expect(balance).toBeGreaterThanOrEqual(0);
  }
  expect(rows.reduce((sum, { balance }) => sum + balance, 0)).toBe(0);
}

interface Held {
  id: string;
  amount: number;
}

const amount = fc.integer({ min: 1, max: 500 });
const step = fc.oneof(
  fc.record({
    kind: fc.constant("recharge" as const),
    amount: fc.integer({ min: -400, max: 400 }),
  }),
  fc.record({ kind: fc.constant("hold" as const), amount }),
  fc.record({ kind: fc.constantFrom("capture" as const, "release" as const), amount: fc.nat() }),
);

describe("a random sequence of recharges, holds, captures and releases", () => {
  it("keeps the books: entries balance, balances are sums of entries, the wallet is never below 0", async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const scope = await openAccount();
        let available = 0;
        let spent = 0;
        const open: Held[] = [];
        for (const [n, { kind, amount }] of steps.entries()) {
          const id = `${scope.accountId}-${n}`;
          if (kind === "capture" || kind === "release") {
            const [held] = open.splice(amount % Math.max(open.length, 1), 1);
            if (!held) continue;
            await move(kind, scope, held.id, held.amount);
            if (kind === "capture") spent += held.amount;
            else available += held.amount;
            await expect(move("capture", scope, held.id, held.amount)).rejects.toThrow(SETTLED);
            await expect(move("release", scope, held.id, held.amount)).rejects.toThrow(SETTLED);
          } else {
            await writeTransaction(scope, id, Math.abs(amount));
            const change = kind === "hold" ? -amount : amount;
            const attempt = move(kind, scope, id, amount);
            if (available + change < 0) {
              refused += 1;
              const short = { available, shortBy: -change - available };
              await expect(attempt).rejects.toBeInstanceOf(InsufficientFunds);
              await expect(attempt).rejects.toMatchObject(short);
            } else {
              await attempt;
              available += change;
              if (kind === "hold") open.push({ id, amount });
            }
          }
          const held = open.reduce((sum, entry) => sum + entry.amount, 0);
          expect(await getBalances(db, scope)).toMatchObject({ available, held });
        }
        await expectSoundBooks(scope);
        const row = await sql<{ balance: number }>`
          select balance from ledger_accounts where account_id = ${scope.accountId}
          and name = 'provider.spent'`.execute(db);
        expect(row.rows[0]?.balance).toBe(spent);
      }),
      { numRuns: 40, examples: [[[{ kind: "hold", amount: 1 }]]] },
    );
    expect(refused).toBeGreaterThan(0);
  });
});

const providerId = fc.constantFrom("first", "p2", "p3");
const partStep = fc.oneof(
  fc.record({ kind: fc.constant("hold" as const), providerId, amount }),
  fc.record({ kind: fc.constant("move" as const), providerId, amount }),
  fc.record({ kind: fc.constantFrom("capture" as const, "release" as const), amount: fc.nat() }),
  fc.record({
    kind: fc.constant("stated" as const),
    providerId,
    balance: fc.option(fc.integer({ min: 0, max: 900 }), { nil: undefined }),
  }),
);

/** The wallet covers the hold, the part of its provider does not. */
const SHORT_PART = [
  { kind: "stated" as const, providerId: "p2" as const, balance: 1 },
  { kind: "hold" as const, providerId: "p2" as const, amount: 2 },
];

describe("a random sequence of holds at providers that state balances", () => {
  it("changes the wallet and one part of it alike, and holds no more than the part", async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(partStep, { maxLength: 25 }), async (steps) => {
        const scope = await openAccount();
        const run = (work: (tx: Tx) => Promise<void>) => transactor.transact(scope.accountId, work);
        await writeTransaction(scope, `${scope.accountId}-funds`, 1_000);
        await move("recharge", scope, `${scope.accountId}-funds`, 1_000);
        let available = 1_000;
        const parts = new Map<string, number>();
        const add = (id: string, change: number) => {
          available += change;
          const part = parts.get(id);
          if (part !== undefined) parts.set(id, part + change);
        };
        const open: (Held & { leg: number; providerId: string })[] = [];
        const toMovement = ({ id, ...held }: (typeof open)[number]) => ({
          ...scope,
          ...held,
          transactionId: id,
          at: 0,
        });
        const check = async (attempt: Promise<void>, id: string, needs: number, free: number) => {
          const part = parts.get(id) ?? Infinity;
          if (needs <= free && needs <= part) {
            await attempt;
            return true;
          }
          refused += Number(needs <= free);
          const isOfPart = needs <= free && { providerId: id, shortBy: needs - part };
          await expect(attempt).rejects.toMatchObject({ name: "Error", ...isOfPart });
          return false;
        };
        for (const [n, step] of steps.entries()) {
          const id = `${scope.accountId}-${n}`;
          if (step.kind === "stated") {
            const { balance } = step;
            await run((tx) => notePart(tx, { ...scope, providerId: step.providerId }, balance));
            if (balance) parts.set(step.providerId, balance);
            else parts.delete(step.providerId);
          } else if (step.kind === "hold") {
            const { providerId, amount } = step;
            await writeTransaction(scope, id, amount);
            const held = { id, amount, providerId, leg: 1 };
            const attempt = run((tx) => hold(tx, toMovement(held)));
            if (!(await check(attempt, providerId, amount, available))) continue;
            add(providerId, -amount);
            open.push(held);
          } else if (step.kind === "move") {
            const [held] = open;
            if (!held || held.providerId === step.providerId) continue;
            const { providerId, amount } = step;
            const attempt = run((tx) => moveHold(tx, toMovement(held), { amount, providerId }));
            if (!(await check(attempt, providerId, amount, available + held.amount))) continue;
            add(held.providerId, held.amount);
            add(providerId, -amount);
            open[0] = { ...held, providerId, amount, leg: held.leg + 1 };
          } else {
            const [held] = open.splice(step.amount % Math.max(open.length, 1), 1);
            if (!held) continue;
            await run((tx) => MOVES[step.kind](tx, toMovement(held)));
            if (step.kind === "release") add(held.providerId, held.amount);
          }
          expect((await getBalances(db, scope)).available).toBe(available);
          for (const one of ["first", "p2", "p3"]) {
            expect(await findPart(db, scope, one)).toBe(parts.get(one));
          }
        }
      }),
      { numRuns: 40, examples: [[SHORT_PART]] },
    );
    expect(refused).toBeGreaterThan(0);
  });
});

describe("the ledger", () => {
  let scope: Scope;
  beforeAll(async () => {
    scope = await openAccount();
    await writeTransaction(scope, "funds", 1_000);
    await move("recharge", scope, "funds", 1_000);
    await writeTransaction(scope, "one", 300);
    await writeTransaction(scope, "two", 300);
    await move("hold", scope, "one", 300);
    await move("hold", scope, "two", 300);
    await move("capture", scope, "one", 300);
  });

  it("settles each hold once, by capture or by release", async () => {
    await expect(move("capture", scope, "one", 300)).rejects.toThrow(/unique/i);
    await expect(move("release", scope, "one", 300)).rejects.toThrow(/unique/i);
    await expect(move("hold", scope, "two", 300)).rejects.toThrow(/unique/i);
    expect(await getBalances(db, scope)).toMatchObject({ available: 400, held: 300 });
  });

  it("settles each leg of a purchase that moves to another provider once", async () => {
    await writeTransaction(scope, "moved", 150);
    const held = { ...scope, transactionId: "moved", amount: 100, at: 0, leg: 1 };
    const run = (work: (tx: Tx) => Promise<void>) => transactor.transact(scope.accountId, work);
    await run((tx) => hold(tx, held));
    await run((tx) => moveHold(tx, held, { amount: 150, providerId: "p2" }));
    expect(await getBalances(db, scope)).toMatchObject({ available: 250, held: 450 });
    const next = { ...held, amount: 150, leg: 2 };
    await expect(
      run((tx) => moveHold(tx, held, { amount: 150, providerId: "p2" })),
    ).rejects.toThrow(/unique/i);
    await expect(run((tx) => capture(tx, held))).rejects.toThrow(/unique/i);
    await expect(
      run((tx) => moveHold(tx, next, { amount: 401, providerId: "p2" })),
    ).rejects.toBeInstanceOf(InsufficientFunds);
    await run((tx) => release(tx, next));
    await expect(run((tx) => capture(tx, next))).rejects.toThrow(/unique/i);
    expect(await getBalances(db, scope)).toMatchObject({ available: 400, held: 300 });
    await expectSoundBooks(scope);
  });

  it("contains no trace of rejected postings", async () => {
    await writeTransaction(scope, "too-much", 401);
    const count = () => sql<{ n: number }>`select count(*) as n from ledger_postings`.execute(db);
    const before = (await count()).rows[0]?.n;
    await expect(move("hold", scope, "too-much", 401)).rejects.toBeInstanceOf(InsufficientFunds);
    expect((await count()).rows[0]?.n).toBe(before);
    await expectSoundBooks(scope);
  });

  it.each<[string, RawBuilder<unknown>]>([
    ["an amount", sql`update ledger_postings set amount = 0`],
    ["a balance", sql`update ledger_postings set from_balance = 0`],
    ["a posting", sql`update ledger_postings set kind = 'RELEASE'`],
    ["a posting, to remove it", sql`delete from ledger_postings`],
  ])("refuses to change %s", async (_name, statement) => {
    await expect(statement.execute(db)).rejects.toThrow(/append-only/);
  });

  it("refuses a balance below zero even in direct SQL", async () => {
    const statement = sql`update ledger_accounts set balance = -1 where name = 'wallet.available'`;
    await expect(statement.execute(db)).rejects.toThrow(/wallet_never_negative/);
  });
});
