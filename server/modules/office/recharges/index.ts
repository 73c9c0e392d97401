import type { App } from "../../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import type { SessionService } from "../../shop/staff/index.ts";
import { RechargeService } from "./recharge-service.ts";

export { listRechargeRates, type RechargeRate, RechargeService } from "./recharge-service.ts";

export function createRechargesModule(deps: Base & { sessions: SessionService }) {
  const recharges = new RechargeService(deps);
  return {
    services: { recharges },
    pos: (app) => registerRechargeRoutes(app, recharges, deps.sessions),
  } satisfies Module;
}

async function registerRechargeRoutes(
  app: App,
  recharges: RechargeService,
  sessions: SessionService,
): Promise<void> {
  const { rechargeOperations } = await import("../../../contract/pos/recharges.ts");
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
