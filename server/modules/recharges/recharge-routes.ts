import { rechargeOperations } from "../../contract/pos/recharge-operations.ts";
import type { App } from "../../http/app-types.ts";
import { handle } from "../../http/pos-operations.ts";
import type { RechargeService } from "./recharge-service.ts";

/** What an owner funded the wallet with. */
export function registerRechargeRoutes(app: App, recharges: RechargeService): void {
  handle(app, rechargeOperations.recharge, async ({ actor, body }) => {
    const { accountId, staffId } = actor;
    const { environment, amount, ...more } = body;
    const recharged = await recharges.recharge({ accountId, staffId, environment }, amount, more);
    return { environment, ...recharged };
  });
}
