import { Balance } from "../../contract/v1/balance.ts";
import { type App, answers, clientOf } from "../../http/app-types.ts";
import type { WalletService } from "./wallet-service.ts";

/** `/balance` (rules#wallet-balance). */
export function registerBalanceRoutes(app: App, wallet: WalletService): void {
  app.get(
    "/balance",
    {
      schema: {
        operationId: "getBalance",
        summary: "Get the wallet's balance",
        description: "Minor units that can be spent now; what is held for purchases is taken off.",
        tags: ["Account"],
        response: answers(Balance),
      },
    },
    async (request) => {
      const balances = await wallet.getBalances(clientOf(request));
      return {
        availableBalance: balances.available,
        currency: balances.currency,
        currencyDivisor: balances.currencyDivisor,
      };
    },
  );
}
