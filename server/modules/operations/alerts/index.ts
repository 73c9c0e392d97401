import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { MailService } from "../../messages/mail/index.ts";
import type { Base, Module } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { AlertMailer } from "./alert-mailer.ts";
import { AlertRounds, AlertService } from "./alert-service.ts";
import { BalanceMessages } from "./balance-messages.ts";
import { createSources, type SourceDeps } from "./sources/index.ts";

type AlertsModuleDeps = Base &
  SourceDeps & {
    shop: ShopService;
    mail: MailService;
    /** Runs checks automatically unless false. */
    automaticAlerts?: boolean;
    sandbox?: Sandbox;
  };

export function createAlertsModule({ automaticAlerts = true, ...deps }: AlertsModuleDeps) {
  const mailer = new AlertMailer(deps);
  const balances = new BalanceMessages({ ...deps, isSandbox: deps.sandbox !== undefined });
  const alertRounds = new AlertRounds({ ...deps, mailer, balances, sources: createSources(deps) });
  const alerts = new AlertService({ ...deps, rounds: alertRounds });
  return {
    services: { alertRounds },
    pos: (app) => registerAlertRoutes(app, alerts),
    start() {
      if (automaticAlerts) alertRounds.start();
      balances.start();
    },
    async stop() {
      await alertRounds.stop();
      await balances.stop();
    },
  } satisfies Module;
}

async function registerAlertRoutes(app: App, alerts: AlertService): Promise<void> {
  const { alertOperations } = await import("../../../contract/pos/alerts.ts");
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
