import { type Kysely, sql } from "kysely";
import type { Scope } from "../../../db/changes.ts";
import { compileOnce, type Param } from "../../../db/compiled-query.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { jsonItems } from "../../../db/engine-words.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import { writeBehind } from "../../../db/write-behind.ts";

/**
 * The double-entry ledger of an account and environment (rules#ledger-double-entry):
 *
 *   RECHARGE   world.funding    → wallet.available   (reversed when a balance is reduced)
 *   HOLD       wallet.available → wallet.held
 *   CAPTURE    wallet.held      → provider.spent
 *   RELEASE    wallet.held      → wallet.available
 *   REFUND     provider.spent   → wallet.available
 *
 * A purchase that moves to another provider has several legs: RELEASE and HOLD follow each other.
 *
 * A provider that states its balance also has an account `wallet.at.<id>`: the part of
 * wallet.available that is there (rules#wallet-parts). It has no entries. It is the stated balance,
 * less the holds and plus the releases since then, which the same statement writes.
 *
 * A posting moves an amount, and contains the resulting balance of both accounts. Postings are only
 * added. The view ledger_entries has a row for each account of a posting. The wallet's two accounts
 * never go below zero: the UPDATE that reduces a balance also checks it.
 */
export type LedgerAccount = "wallet.available" | "wallet.held" | "world.funding" | "provider.spent";

export type PostingKind = Tables["ledger_postings"]["kind"];

export interface Posting extends Scope {
  transactionId: string;
  kind: PostingKind;
  from: LedgerAccount;
  to: LedgerAccount;
  amount: number;
  at: number;
  /** Number of the hold. */
  leg: number;
  /** Provider whose part of the wallet also changes. */
  providerId?: string | undefined;
}

export class InsufficientFunds extends Error {
  readonly available: number;
  readonly shortBy: number;
  /** The provider whose part is too small; undefined if the whole wallet is. */
  readonly providerId: string | undefined;

  constructor(available: number, amount: number, providerId?: string) {
    super(`the wallet holds ${available}, ${amount} is needed`);
    this.available = available;
    this.shortBy = amount - available;
    this.providerId = providerId;
  }
}

const LEDGER_ACCOUNTS: LedgerAccount[] = [
  "wallet.available",
  "wallet.held",
  "world.funding",
  "provider.spent",
];

export async function openLedger(tx: Tx, scope: Scope, currency: string): Promise<void> {
  await tx
    .insertInto("ledger_accounts")
    .values(
      LEDGER_ACCOUNTS.map((name) => ({
        account_id: scope.accountId,
        environment: scope.environment,
        name,
        currency,
        balance: 0,
      })),
    )
    .execute();
}

/**
 * Moves `amount` minor units of the wallet's currency. A trigger records the posting as a change of
 * the wallet.
 * @param writeCovered writes the transaction of the posting, once the balance covers it
 * @throws InsufficientFunds if a wallet account has too little, before anything is written
 */
export async function post(
  tx: Tx,
  posting: Posting,
  writeCovered?: () => Promise<void>,
): Promise<void> {
  const { accountId, environment, transactionId, kind, from, amount, at, leg } = posting;
  const { fromBalance, toBalance } = await moveBalances(tx, posting);
  await writeCovered?.();
  const row = { accountId, environment, transactionId, kind, at, leg };
  // A RECHARGE that reduces the wallet's balance has a negative amount.
  const isReversed = kind === "RECHARGE" && from === "wallet.available";
  const moved = isReversed
    ? { amount: -amount, fromBalance: toBalance, toBalance: fromBalance }
    : { amount, fromBalance, toBalance };
  await writeBehind(tx, insertPosting(tx, { ...row, ...moved }));
}

/** Moves an amount that was held. Fails at the end of the transaction if less is held. */
export async function postHeld(tx: Tx, posting: Posting): Promise<void> {
  const { accountId, environment, transactionId, kind, from, to, amount, at, leg } = posting;
  const change = { accountId, environment, from, to, amount };
  await writeBehind(tx, moveWithin(tx, toMove(posting)), ({ rows }) => {
    if (rows.length < 2) throw new Error(`the wallet holds less than ${amount}`);
  });
  await writeBehind(tx, insertMoved(tx, { ...change, transactionId, kind, at, leg }));
}

interface NewPosting extends Omit<Posting, "from" | "to"> {
  fromBalance: number;
  toBalance: number;
}

const insertPosting = compileOnce<NewPosting, unknown>((db, param) =>
  db.insertInto("ledger_postings").values({
    account_id: param("accountId"),
    environment: param("environment"),
    transaction_id: param("transactionId"),
    kind: param("kind"),
    amount: param("amount"),
    from_balance: param("fromBalance"),
    to_balance: param("toBalance"),
    posted_at: param("at"),
    leg: param("leg"),
  }),
);

/** Reads the balances that an earlier statement of the transaction has written. */
const insertMoved = compileOnce<Posting, unknown>((db, param) => {
  const balance = (name: "from" | "to") => sql<number>`(select balance from ledger_accounts
    where account_id = ${param("accountId")} and environment = ${param("environment")}
    and name = ${param(name)})`;
  return db.insertInto("ledger_postings").values({
    account_id: param("accountId"),
    environment: param("environment"),
    transaction_id: param("transactionId"),
    kind: param("kind"),
    amount: param("amount"),
    from_balance: balance("from"),
    to_balance: balance("to"),
    posted_at: param("at"),
    leg: param("leg"),
  });
});

/** @throws InsufficientFunds if a wallet account has too little, before anything is written */
async function moveBalances(tx: Tx, posting: Posting) {
  const { from, to, amount, providerId } = posting;
  const move = from.startsWith("wallet.") ? moveWithin : moveAnyhow;
  const { rows } = await move(tx, toMove(posting));
  const balances = new Map(rows.map(({ name, balance }) => [name, balance]));
  const [fromBalance, toBalance] = [balances.get(from), balances.get(to)];
  if (fromBalance !== undefined && toBalance !== undefined) return { fromBalance, toBalance };
  const available = await balanceOf(tx, posting, from);
  if (available < amount) throw new InsufficientFunds(available, amount);
  const part = providerId === undefined ? 0 : await findPart(tx, posting, providerId);
  throw new InsufficientFunds(part ?? 0, amount, providerId);
}

type Move = Pick<Posting, "accountId" | "environment" | "from" | "to" | "amount"> & {
  less: number;
  /** Account of the provider's part. No account has an empty name. */
  part: string;
  partChange: number;
  /** Account that must also have the amount: the part, or `from` again. */
  second: string;
};

function toMove({ accountId, environment, from, to, amount, providerId }: Posting): Move {
  const part = providerId === undefined ? "" : toPartName(providerId);
  const isHold = from === "wallet.available";
  const partChange = isHold ? -amount : amount;
  const second = isHold && part !== "" ? part : from;
  return { accountId, environment, from, to, amount, less: -amount, part, partChange, second };
}

const moveAnyhow = compileOnce<Move, { name: string; balance: number }>(buildMove);

/** Moves an amount only if the source account, and the provider's part of it, have enough. */
const moveWithin = compileOnce<Move, { name: string; balance: number }>((db, param) =>
  buildMove(db, param).where(
    (eb) =>
      eb
        .selectFrom("ledger_accounts")
        .select(({ fn }) => fn.min<number>("balance").as("balance"))
        .where("account_id", "=", param("accountId"))
        .where("environment", "=", param("environment"))
        .where("name", "in", [param("from"), param("second")]),
    ">=",
    param("amount"),
  ),
);

function buildMove(db: Kysely<Tables>, param: Param<Move>) {
  const change = sql<number>`case name when ${param("from")} then cast(${param("less")} as bigint)
    when ${param("to")} then cast(${param("amount")} as bigint)
    else cast(${param("partChange")} as bigint) end`;
  return db
    .updateTable("ledger_accounts")
    .set({ balance: sql<number>`balance + ${change}` })
    .where("account_id", "=", param("accountId"))
    .where("environment", "=", param("environment"))
    .where("name", "in", [param("from"), param("to"), param("part")])
    .returning(["name", "balance"]);
}

function toPartName(providerId: string): string {
  return `wallet.at.${providerId}`;
}

/** Returns the part of the wallet at a provider; undefined if it states none. */
export async function findPart(
  db: Db | Tx,
  scope: Scope,
  providerId: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom("ledger_accounts")
    .select("balance")
    .where(inScope(scope))
    .where("name", "=", toPartName(providerId))
    .executeTakeFirst();
  return row?.balance;
}

/** @param part undefined removes the account */
export async function writePart(
  tx: Tx,
  { accountId, environment }: Scope,
  providerId: string,
  part: { balance: number; currency: string } | undefined,
): Promise<void> {
  const key = { account_id: accountId, environment, name: toPartName(providerId) };
  if (!part) {
    await tx
      .deleteFrom("ledger_accounts")
      .where(inScope({ accountId, environment }))
      .where("name", "=", key.name)
      .execute();
    return;
  }
  await tx
    .insertInto("ledger_accounts")
    .values({ ...key, ...part })
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "environment", "name"])
        .doUpdateSet({ balance: part.balance }),
    )
    .execute();
}

/** Kinds of postings that reduce each account, and kinds that increase it. */
const KINDS: Record<LedgerAccount, { take: PostingKind[]; add: PostingKind[] }> = {
  "wallet.available": { take: ["HOLD"], add: ["RECHARGE", "RELEASE", "REFUND"] },
  "wallet.held": { take: ["CAPTURE", "RELEASE"], add: ["HOLD"] },
  "world.funding": { take: ["RECHARGE"], add: [] },
  "provider.spent": { take: ["REFUND"], add: ["CAPTURE"] },
};

export async function balanceBefore(
  db: Db | Tx,
  scope: Scope,
  name: LedgerAccount,
  instant: number,
): Promise<number> {
  const { take, add } = KINDS[name];
  const last = await db
    .selectFrom("ledger_postings")
    .select(["kind", "from_balance", "to_balance"])
    .where(inScope(scope))
    .where("posted_at", "<", instant)
    .where("kind", "in", [...take, ...add])
    .orderBy("posted_at", "desc")
    .orderBy("posting_id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!last) return 0;
  return take.includes(last.kind) ? last.from_balance : last.to_balance;
}

/** Returns the balances before each instant, in the order of the instants. */
export async function balancesBefore(
  db: Db | Tx,
  scope: Scope,
  name: LedgerAccount,
  instants: readonly number[],
): Promise<number[]> {
  const { take, add } = KINDS[name];
  const { rows } = await sql<{ position: number; balance: number | null }>`
    select cast(j.value ->> 0 as bigint) as position,
      (select case when l.kind in (${sql.join(take)}) then l.from_balance else l.to_balance end
        from ledger_postings l
        where ${inScope(scope, "l")} and l.posted_at < cast(j.value ->> 1 as bigint)
          and l.kind in (${sql.join([...take, ...add])})
        order by l.posted_at desc, l.posting_id desc limit 1) as balance
    from ${jsonItems(instants.map((instant, index) => [index, instant]))} j`.execute(db);
  const balances = instants.map(() => 0);
  for (const { position, balance } of rows) balances[position] = balance ?? 0;
  return balances;
}

export async function balanceOf(db: Db | Tx, scope: Scope, name: LedgerAccount): Promise<number> {
  const row = await db
    .selectFrom("ledger_accounts")
    .select("balance")
    .where(inScope(scope))
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return row.balance;
}
