import { PosSettings } from "../../contract/pos/settings.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireOwner } from "../../http/staff-guard.ts";
import type { SettingsService } from "./settings-service.ts";

/** What an owner switches. */
export function registerSettingsRoutes(app: App, settings: SettingsService): void {
  app.get(
    "/settings",
    { onRequest: requireOwner, schema: { response: answers(PosSettings) } },
    (request) => settings.getAll(cashierOf(request).accountId),
  );

  app.put(
    "/settings",
    { onRequest: requireOwner, schema: { body: PosSettings, response: answers(PosSettings) } },
    (request) => {
      const { environments, ...account } = request.body;
      return settings.change(cashierOf(request), { ...account, ...environments });
    },
  );
}
