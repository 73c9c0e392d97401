import { alertOperations } from "../../../contract/pos/alerts.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { AlertService } from "./alert-service.ts";

export function registerAlertRoutes(app: App, alerts: AlertService): void {
  handle(app, alertOperations.list, ({ actor }) => alerts.list(actor));
  handle(app, alertOperations.silence, async ({ actor, params, body }) => {
    await alerts.silence(actor, params.alertId, body.on);
    return {};
  });
  handle(app, alertOperations.getMail, ({ actor }) => alerts.getMail(actor.accountId));
  handle(app, alertOperations.setMail, ({ actor: { accountId, staffId }, body }) =>
    alerts.setMail({ accountId, staffId }, body),
  );
}
