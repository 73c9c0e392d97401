import { tillOperations } from "../../../contract/pos/tills.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { TillService } from "./till-service.ts";

export function registerTillRoutes(app: App, tills: TillService): void {
  handle(app, tillOperations.list, async ({ actor, request }) => ({
    list: await tills.list(actor.accountId, placeOf(request).device),
  }));

  handle(app, tillOperations.rename, ({ actor, params, body, request }) => {
    const { accountId, staffId } = actor;
    const { device } = placeOf(request);
    return tills.rename({ accountId, staffId }, { ...params, ...body, device });
  });
}
