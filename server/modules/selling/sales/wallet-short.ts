import type { WalletShort } from "../../../contract/pos/wallet.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { describeAmount, type PricingTerms, toMajor, toMinor } from "../../../lib/money.ts";
import { type Balances, getBalances } from "../../books/wallet/index.ts";
import { readTerms } from "../../shop/shop/index.ts";

export async function findShort(
  db: Db | Tx,
  scope: Scope,
  cost: number,
): Promise<WalletShort | undefined> {
  const balances = await getBalances(db, scope);
  if (cost <= balances.available) return undefined;
  return aboutInShop(balances, await readTerms(db, scope.accountId));
}

/**
 * Checks the wallet before cash is taken (rules#wallet-reach).
 * @param cost minor units of the wallet's currency
 * @throws Problem WALLET_SHORT
 */
export async function requireWallet(tx: Tx, scope: Scope, cost: number): Promise<void> {
  const short = await findShort(tx, scope, cost);
  if (short) throw walletShort(short);
}

function walletShort({ upTo, currency, currencyDivisor }: WalletShort): Problem {
  const about = describeAmount(upTo, { currency, currencyDivisor });
  return new Problem(
    "WALLET_SHORT",
    `The shop's wallet can pay for sales up to about ${about} now. Nothing was charged.`,
    { upTo: String(upTo), currency, currencyDivisor: String(currencyDivisor) },
  );
}

/**
 * Converts the balance at the shop's rate. Sales that the balance covers may have higher prices.
 */
export function aboutInShop(
  wallet: Pick<Balances, "available" | "currency" | "currencyDivisor">,
  { currency, currencyDivisor, rate }: PricingTerms,
): WalletShort {
  const ofWallet = toMajor(wallet.available, wallet.currencyDivisor);
  const inShop = wallet.currency === currency ? ofWallet : ofWallet.mul(rate);
  return { upTo: aboutAtMost(toMinor(inShop, currencyDivisor, "down")), currency, currencyDivisor };
}

/** Rounds down to two significant digits, so that the exact balance stays hidden. */
export function aboutAtMost(amount_minor: number): number {
  const whole = Math.max(0, amount_minor);
  const step = 10 ** Math.max(0, String(whole).length - 2);
  return whole - (whole % step);
}
