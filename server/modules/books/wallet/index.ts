import { Balance } from "../../../contract/v1/balance.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Base, Module } from "../../module.ts";
import { toBalanceRecord, WalletService } from "./wallet-service.ts";

export { findPart, InsufficientFunds } from "./ledger-store.ts";
export {
  type Balances,
  capture,
  getBalances,
  getWalletUnit,
  hold,
  listAvailable,
  moveHold,
  notePart,
  openWallet,
  recharge,
  refund,
  release,
  spentBetween,
  spentSince,
  toBalanceRecord,
} from "./wallet-service.ts";

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
