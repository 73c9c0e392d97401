import { Balance } from "../../../contract/v1/balance.ts";
import type { Scope } from "../../../db/changes.ts";
import { compileOnce } from "../../../db/compiled-query.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Unit } from "../../../lib/money.ts";
import type { Base, Module } from "../../module.ts";
import {
  balanceBefore,
  balanceOf,
  balancesBefore,
  findPart,
  InsufficientFunds,
  openLedger,
  post,
  postHeld,
  writePart,
} from "./ledger-store.ts";

export { findPart, InsufficientFunds } from "./ledger-store.ts";

export function createWalletModule({ db, clock }: Base) {
  const wallet = new WalletService(db);
  return {
    services: { wallet },
    v1: (app) => registerBalanceRoutes(app, wallet, clock),
  } satisfies Module;
}

function registerBalanceRoutes(app: App, wallet: WalletService, clock: Clock): void {
  app.get(
    "/balance",
    {
      // Clients compare their clock with this header, so it uses the same clock as all other dates
      // in responses. `onRequest` runs before a cached response is sent.
      onRequest: (_request, reply, done) => {
        reply.header("date", new Date(clock.now()).toUTCString());
        done();
      },
      schema: {
        operationId: "getBalance",
        summary: "Get the wallet's balance",
        description: "Minor units that can be spent now; what is held for purchases is taken off.",
        tags: ["Account"],
        response: answers(Balance),
      },
    },
    async (request) => toBalanceRecord(await wallet.getBalances(clientOf(request))),
  );
}

export interface Balances extends Unit {
  /** Balance without held amounts (rules#wallet-balance). */
  available: number;
  held: number;
}

/** Amounts are in minor units. */
interface Movement extends Scope {
  transactionId: string;
  amount: number;
  at: number;
  /** Number of the hold, 1 by default. */
  leg?: number;
  /** Provider at which the cost of a purchase is held. */
  providerId?: string;
}

export async function openWallet(tx: Tx, scope: Scope, currency: string): Promise<void> {
  await openLedger(tx, scope, currency);
}

/** Returns the wallet's currency, which both environments share (rules#money-two-currencies). */
export async function getWalletUnit(db: Db | Tx, accountId: string): Promise<Unit> {
  const row = await db
    .selectFrom("accounts")
    .select(["wallet_currency", "wallet_currency_divisor"])
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return { currency: row.wallet_currency, currencyDivisor: row.wallet_currency_divisor };
}

export async function getBalances(
  db: Db | Tx,
  { accountId, environment }: Scope,
): Promise<Balances> {
  const { rows } = await selectBalances(db, { accountId, environment });
  const [balances] = rows;
  if (!balances) throw new Error(`the account ${accountId} has no wallet for ${environment}`);
  return balances;
}

const selectBalances = compileOnce<Scope, Balances>((db, param) =>
  db
    .selectFrom("accounts as a")
    .innerJoin("ledger_accounts as available", "available.account_id", "a.account_id")
    .innerJoin("ledger_accounts as held", (join) =>
      join
        .onRef("held.account_id", "=", "available.account_id")
        .onRef("held.environment", "=", "available.environment"),
    )
    .select(["a.wallet_currency as currency", "a.wallet_currency_divisor as currencyDivisor"])
    .select(["available.balance as available", "held.balance as held"])
    .where("a.account_id", "=", param("accountId"))
    .where("available.environment", "=", param("environment"))
    .where("available.name", "=", "wallet.available")
    .where("held.name", "=", "wallet.held"),
);

/**
 * Returns the money spent after an instant, less refunds. Subtracts two stored balances, so that
 * the query takes no longer as sales grow.
 */
export async function spentSince(db: Db | Tx, scope: Scope, instant: number): Promise<number> {
  const spent = await balanceOf(db, scope, "provider.spent");
  return spent - (await balanceBefore(db, scope, "provider.spent", instant));
}

export async function spentBetween(
  db: Db | Tx,
  scope: Scope,
  from: number,
  until: number,
): Promise<number> {
  const before = await balanceBefore(db, scope, "provider.spent", from);
  return (await balanceBefore(db, scope, "provider.spent", until)) - before;
}

/** Returns the available balance at each instant, in the order of the instants. */
export function listAvailable(
  db: Db | Tx,
  scope: Scope,
  instants: readonly number[],
): Promise<number[]> {
  return balancesBefore(db, scope, "wallet.available", instants);
}

export function toBalanceRecord({ available, currency, currencyDivisor }: Balances): Balance {
  return { availableBalance: available, currency, currencyDivisor };
}

class WalletService {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  getBalances(scope: Scope): Promise<Balances> {
    return getBalances(this.#db, scope);
  }
}

/** Adds an amount to the balance; a negative amount reduces the balance. */
export async function recharge(tx: Tx, movement: Movement): Promise<void> {
  const direction =
    movement.amount >= 0
      ? ({ from: "world.funding", to: "wallet.available" } as const)
      : ({ from: "wallet.available", to: "world.funding" } as const);
  await post(tx, {
    ...movement,
    ...direction,
    kind: "RECHARGE",
    amount: Math.abs(movement.amount),
    leg: 1,
  });
}

/**
 * Notes the balance that a provider states, as its part of the wallet (rules#wallet-parts).
 * @param balance undefined if unknown. Zero also counts as unknown: some accounts are paid later
 */
export async function notePart(
  tx: Tx,
  scope: Scope & { providerId: string },
  balance: number | undefined,
): Promise<void> {
  const { accountId, providerId } = scope;
  const isKnown = balance !== undefined && balance > 0;
  const { currency } = await getWalletUnit(tx, accountId);
  await writePart(tx, scope, providerId, isKnown ? { balance, currency } : undefined);
}

/**
 * Holds the cost of a purchase (rules#ledger-hold-first).
 * @param writeCovered writes a new purchase, once the wallet covers it
 * @throws InsufficientFunds before anything is written
 */
export async function hold(
  tx: Tx,
  movement: Movement,
  writeCovered?: () => Promise<void>,
): Promise<void> {
  const accounts = { from: "wallet.available", to: "wallet.held" } as const;
  await post(tx, { leg: 1, ...movement, kind: "HOLD", ...accounts }, writeCovered);
}

/**
 * Replaces the hold of a purchase by the hold of its next leg, when it moves to another provider.
 * @param held the present hold
 * @param next the next provider, and the cost there
 * @throws InsufficientFunds before anything is written
 */
export async function moveHold(
  tx: Tx,
  held: Movement & { leg: number },
  { amount, providerId }: Required<Pick<Movement, "amount" | "providerId">>,
): Promise<void> {
  if (amount > held.amount) {
    const free = held.amount + (await balanceOf(tx, held, "wallet.available"));
    if (free < amount) throw new InsufficientFunds(free, amount);
  }
  const part = await findPart(tx, held, providerId);
  if (part !== undefined && part < amount) throw new InsufficientFunds(part, amount, providerId);
  await release(tx, held);
  await hold(tx, { ...held, amount, providerId, leg: held.leg + 1 });
}

export async function capture(tx: Tx, movement: Movement): Promise<void> {
  const posting = { kind: "CAPTURE", from: "wallet.held", to: "provider.spent" } as const;
  await postHeld(tx, { leg: 1, ...movement, providerId: undefined, ...posting });
}

export async function release(tx: Tx, movement: Movement): Promise<void> {
  const posting = { kind: "RELEASE", from: "wallet.held", to: "wallet.available" } as const;
  await postHeld(tx, { leg: 1, ...movement, ...posting });
}

export async function refund(tx: Tx, movement: Movement): Promise<void> {
  const posting = { kind: "REFUND", from: "provider.spent", to: "wallet.available" } as const;
  await post(tx, { leg: 1, ...movement, ...posting });
}
