import type { App } from "../../../http/app-types.ts";
import { placeOf } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import { TillService } from "./till-service.ts";

export { readTill, type SoldFrom, tillNames } from "./till-service.ts";

export function createTillsModule(deps: Base) {
  const tills = new TillService(deps);
  return {
    services: {},
    pos: (app) => registerTillRoutes(app, tills),
  } satisfies Module;
}

async function registerTillRoutes(app: App, tills: TillService): Promise<void> {
  const { tillOperations } = await import("../../../contract/pos/tills.ts");
  handle(app, tillOperations.list, async ({ actor, request }) => ({
    list: await tills.list(actor.accountId, placeOf(request).device),
  }));

  handle(app, tillOperations.rename, ({ actor, params, body, request }) => {
    const { accountId, staffId } = actor;
    const { device } = placeOf(request);
    return tills.rename({ accountId, staffId }, { ...params, ...body, device });
  });
}
