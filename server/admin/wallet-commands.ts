import { StartupError } from "../config/config.ts";
import { describeAmount } from "../lib/money.ts";
import type { Balances } from "../modules/wallet/index.ts";
import { type Command, ENV_OPTION, type Result, required, scopeOf } from "./command.ts";

const showCommand: Command = {
  name: "wallet show",
  summary: "Show what a wallet holds",
  options: ENV_OPTION,
  needsData: true,
  async run(ctx, values) {
    return describe(await ctx.wallet.getBalances(scopeOf(ctx, values)));
  },
};

const setCommand: Command = {
  name: "wallet set",
  summary: "Set what can be spent in the test wallet",
  options: {
    ...ENV_OPTION,
    amount: { value: "N", help: "minor units: 100000 is 1,000.00 USD" },
  },
  async run(ctx, values) {
    const scope = scopeOf(ctx, values);
    const amount = required(values, "amount");
    const available = /^\d{1,15}$/.test(amount) ? Number(amount) : Number.NaN;
    if (!Number.isSafeInteger(available)) {
      throw new StartupError(`--amount must be whole minor units, not "${amount}".`);
    }
    return describe(await ctx.recharges.setTestWallet(scope, available));
  },
};

function describe(balances: Balances): Result {
  const available = describeAmount(balances.available, balances);
  const held = describeAmount(balances.held, balances);
  return { text: `${available} available, ${held} held for purchases under way`, data: balances };
}

export const walletCommands = [showCommand, setCommand];
