import type { MailService } from "../../messages/mail/index.ts";
import type { Base, Module } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { AlertMailer } from "./alert-mailer.ts";
import { AlertRounds } from "./alert-rounds.ts";
import { AlertService } from "./alert-service.ts";
import { createSources, type SourceDeps } from "./sources/index.ts";

type AlertsModuleDeps = Base &
  SourceDeps & {
    shop: ShopService;
    mail: MailService;
    /** Runs checks automatically unless false. */
    automaticAlerts?: boolean;
  };

export function createAlertsModule({ automaticAlerts = true, ...deps }: AlertsModuleDeps) {
  const mailer = new AlertMailer(deps);
  const alertRounds = new AlertRounds({ ...deps, mailer, sources: createSources(deps) });
  const alerts = new AlertService(deps);
  return {
    services: { alertRounds },
    pos: async (app) => (await import("./alert-routes.ts")).registerAlertRoutes(app, alerts),
    start() {
      if (automaticAlerts) alertRounds.start();
    },
    stop: () => alertRounds.stop(),
  } satisfies Module;
}
