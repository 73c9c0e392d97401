import { rechargeOperations } from "../../../contract/pos/recharges.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { SessionService } from "../../shop/staff/index.ts";
import type { RechargeService } from "./recharge-service.ts";

export function registerRechargeRoutes(
  app: App,
  recharges: RechargeService,
  sessions: SessionService,
): void {
  handle(app, rechargeOperations.recharge, async ({ actor, body }) => {
    const { accountId, staffId } = actor;
    const { environment, amount, ...notes } = body;
    const author = { accountId, staffId, environment };
    const recharged = await recharges.recharge(author, amount, notes);
    return { environment, ...recharged };
  });

  handle(app, rechargeOperations.reverseRecharge, async ({ actor, params, body, ...call }) => {
    const { accountId, staffId } = actor;
    const { environment, pin, ...input } = body;
    setDeviceCookie(call.reply, await sessions.confirm(actor, pin, placeOf(call.request)));
    const author = { accountId, staffId, environment };
    const reversed = await recharges.reverse(author, { ...params, ...input });
    return { environment, ...reversed };
  });
}
