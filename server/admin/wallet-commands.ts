import { StartupError } from "../config/config.ts";
import {
  RECONCILIATION_OUTCOMES,
  type ReconciliationCase,
} from "../contract/pos/reconciliation.ts";
import { describeAmount } from "../lib/money.ts";
import type { Balances } from "../modules/books/wallet/index.ts";
import {
  among,
  type Command,
  ENV_OPTION,
  optional,
  type Result,
  readText,
  required,
  scopedAuthorOf,
  scopeOf,
  type Values,
} from "./command.ts";

/** Maximum amount in minor units. Sums of such amounts remain safe integers. */
const MAX_AMOUNT = 999_999_999_999;

const showCommand: Command = {
  name: "wallet show",
  summary: "Show a wallet's balance",
  options: ENV_OPTION,
  async run(ctx, values) {
    return describe(await ctx.wallet.getBalances(scopeOf(ctx, values)));
  },
};

const setCommand: Command = {
  name: "wallet set",
  summary: "Set the spendable balance of the test wallet",
  options: {
    ...ENV_OPTION,
    amount: { value: "N", help: "minor units: 100000 is 1,000.00 USD" },
  },
  needsShop: false,
  async run(ctx, values) {
    const scope = scopeOf(ctx, values);
    return describe(await ctx.recharges.setTestWallet(scope, readAmount(values)));
  },
};

const rechargeCommand: Command = {
  name: "wallet recharge",
  summary: "Book a recharge of a wallet; the live wallet mirrors your account at the provider",
  options: {
    ...ENV_OPTION,
    amount: { value: "N", help: "minor units: 100000 is 1,000.00 USD" },
    paid: { value: "N", help: "price of the recharge, minor units of the shop's currency" },
  },
  needsShop: false,
  async run(ctx, values) {
    const actor = scopedAuthorOf(ctx, values);
    const amount = readAmount(values);
    if (amount === 0) throw new StartupError("--amount must be more than 0.");
    const paid = values.paid === undefined ? undefined : readAmount(values, "paid");
    if (paid === 0) throw new StartupError("--paid must be more than 0.");
    return describe(
      await ctx.recharges.recharge(actor, amount, { ...(paid !== undefined && { paid }) }),
    );
  },
};

/** @throws StartupError */
function readAmount(values: Values, name = "amount"): number {
  const text = required(values, name);
  if (/^\d+$/.test(text)) {
    if (Number(text) <= MAX_AMOUNT) return Number(text);
    throw new StartupError(`--${name} must not be over ${MAX_AMOUNT} minor units.`);
  }
  throw new StartupError(`--${name} must be whole minor units, not "${text}".`);
}

function describe(balances: Balances): Result {
  const available = describeAmount(balances.available, balances);
  const held = describeAmount(balances.held, balances);
  return { text: `${available} available, ${held} held for unfinished purchases`, data: balances };
}

export const walletCommands = [showCommand, setCommand, rechargeCommand];

const SHOWN = 200;

const listCommand: Command = {
  name: "reconciliation list",
  summary: "List failed purchases that the provider may have delivered, with all details",
  options: ENV_OPTION,
  async run(ctx, values) {
    const page = { limit: SHOWN, offset: 0 };
    const { total, list } = await ctx.reconciliation.list(scopeOf(ctx, values), page);
    const texts = list.map(describeCase);
    if (total > list.length) texts.push(`And ${total - list.length} more.`);
    const text = total === 0 ? "There is nothing to reconcile." : texts.join("\n\n");
    return { text, data: { total, list } };
  },
};

const settleCommand: Command = {
  name: "reconciliation settle",
  summary: "Settle a case of reconciliation list with the provider's outcome, once",
  options: {
    ...ENV_OPTION,
    outcome: { value: RECONCILIATION_OUTCOMES.join("|"), help: "outcome at the provider" },
    note: { value: "TEXT", help: "for the audit trail, such as your source" },
  },
  argument: "TRANSACTION_ID",
  needs: "a TRANSACTION_ID; see reconciliation list",
  async run(ctx, values, transactionId) {
    const decider = scopedAuthorOf(ctx, values);
    const rule = RECONCILIATION_OUTCOMES.join(" or ");
    const given = required(values, "outcome");
    const outcome = readText("outcome", given, rule, among(RECONCILIATION_OUTCOMES));
    const note = optional(values, "note");
    const decision = { transactionId, outcome, ...(note !== undefined && { note }) };
    const result = await ctx.reconciliation.settle(decider, decision);
    const { booked } = result;
    const money = booked
      ? `Booked ${describeAmount(booked.amount, booked)} as ${booked.type} ${booked.transactionId}.`
      : "Nothing was booked.";
    return { text: `${transactionId} is settled as ${outcome}. ${money}`, data: result };
  },
};

function describeCase(found: ReconciliationCase): string {
  const refunded = found.refundedTransactionId;
  const what = refunded === undefined ? found.kind : `${found.kind} of ${refunded}`;
  const cost = unit(found.cost, found.costCurrency, found.costCurrencyDivisor);
  const price = unit(found.price, found.priceCurrency, found.priceCurrencyDivisor);
  const send = unit(found.send, found.sendCurrency, found.sendCurrencyDivisor);
  const sale = found.sale && `sale ${found.sale.saleNumber} by ${found.sale.clerk}`;
  return [
    `${found.transactionId} (${what})`,
    `  offer      ${found.offerId}, ${found.brandName}: ${found.title}`,
    `  to         ${found.recipient || "no recipient"}`,
    ...found.fields.map(({ key, value }) => `             ${key}: ${value}`),
    `  delivers   ${send}`,
    `  cost       ${cost}, price ${price}`,
    `  accepted   ${found.acceptedAt}, failed ${found.failedAt}: ${found.error.message}`,
    `  sold       ${sale ?? "through the API"}`,
    `  provider   ${describeProvider(found.provider)}; asked to deliver ${found.attempts} times`,
    `             ${found.lastWord}`,
    "  log",
    ...found.log.map(
      ({ dateTime, status, statusMessage }) => `    ${dateTime}  ${status}: ${statusMessage}`,
    ),
    `  delivered      ${found.decisions.delivered}`,
    `  not-delivered  ${found.decisions.notDelivered}`,
  ].join("\n");
}

function unit(amount_minor: number, currency: string, currencyDivisor: number): string {
  return describeAmount(amount_minor, { currency, currencyDivisor });
}

function describeProvider({ kind, host, connected }: ReconciliationCase["provider"]): string {
  if (kind === "simulator") return "simulator of the test environment";
  if (host === undefined) return "not connected";
  return connected ? host : `${host}, not connected now`;
}

export const reconciliationCommands = [listCommand, settleCommand];
