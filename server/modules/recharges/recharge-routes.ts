import { RechargedWallet, RechargeInput } from "../../contract/pos/recharges.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireOwner } from "../../http/staff-guard.ts";
import type { RechargeService } from "./recharge-service.ts";

/** `POST /pos/wallet/recharges`: what an owner funded the wallet with. */
export function registerRechargeRoutes(app: App, recharges: RechargeService): void {
  app.post(
    "/wallet/recharges",
    {
      onRequest: requireOwner,
      schema: { body: RechargeInput, response: answers(RechargedWallet) },
    },
    async (request) => {
      const { accountId, staffId } = cashierOf(request);
      const { environment, amount } = request.body;
      return {
        environment,
        ...(await recharges.recharge({ accountId, staffId, environment }, amount)),
      };
    },
  );
}
