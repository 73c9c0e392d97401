import { StartupError } from "../config/config.ts";
import { describeAmount } from "../lib/money.ts";
import type { Balances } from "../modules/books/wallet/index.ts";
import {
  type Command,
  ENV_OPTION,
  type Result,
  required,
  scopeOf,
  type Values,
} from "./command.ts";

/** Maximum amount in minor units. Sums of such amounts remain safe integers. */
const MAX_AMOUNT = 999_999_999_999;

const showCommand: Command = {
  name: "wallet show",
  summary: "Show a wallet's balance",
  options: ENV_OPTION,
  needsData: true,
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
  async run(ctx, values) {
    const actor = { ...scopeOf(ctx, values), staffId: undefined };
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
