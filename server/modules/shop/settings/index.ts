import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import { SettingsService } from "./settings-service.ts";

export {
  getSettings,
  readDayClock,
  type SettingsChange,
  SettingsService,
} from "./settings-service.ts";

export function createSettingsModule(deps: Base) {
  const settings = new SettingsService(deps);
  return {
    services: { settings },
    pos: (app) => registerSettingsRoutes(app, settings),
  } satisfies Module;
}

async function registerSettingsRoutes(app: App, settings: SettingsService): Promise<void> {
  const { settingsOperations } = await import("../../../contract/pos/settings.ts");
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
