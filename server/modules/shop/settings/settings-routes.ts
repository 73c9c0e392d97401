import { settingsOperations } from "../../../contract/pos/settings.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { SettingsService } from "./settings-service.ts";

export function registerSettingsRoutes(app: App, settings: SettingsService): void {
  handle(app, settingsOperations.get, ({ actor }) => settings.getAll(actor.accountId));

  handle(app, settingsOperations.change, ({ actor, body }) => {
    const { environments, ...account } = body;
    return settings.change(actor, { ...account, ...environments });
  });

  handle(app, settingsOperations.getClock, ({ actor }) => settings.getClock(actor.accountId));

  handle(app, settingsOperations.acceptClock, ({ actor, body }) =>
    settings.acceptClock(actor, Date.parse(body.now)),
  );
}
