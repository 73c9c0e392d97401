import type { Db } from "../../../../db/database.ts";
import type { MailService } from "../../../messages/mail/index.ts";
import type { WebhookService } from "../../../messages/webhooks/index.ts";
import { listScheduleRows } from "../../../office/shop-reports/index.ts";
import type { AlertSource, Finding } from "../alert-source.ts";

/** Finds webhooks that fail, or were paused because of failures. */
export function createWebhookSource({
  webhooks,
}: {
  webhooks: WebhookService;
}): AlertSource<"WEBHOOK"> {
  return {
    kind: "WEBHOOK",
    async find({ accountId, watched }): Promise<Finding<"WEBHOOK">[]> {
      const all = await webhooks.list(accountId);
      const failing = all.filter(
        ({ environment, failingSince, pausedAt }) =>
          watched.includes(environment) && (failingSince !== undefined || pausedAt !== undefined),
      );
      return failing.map(({ webhookId, environment, url, failingSince, pausedAt, waiting }) => {
        const cause = pausedAt === undefined ? "WEBHOOK_FAILING" : "WEBHOOK_PAUSED";
        const since = failingSince ?? pausedAt;
        const facts = { name: new URL(url).host, count: waiting, ...(since && { since }) };
        return { environment, subject: webhookId, cause, level: "SOON", mark: cause, facts };
      });
    },
  };
}

export function createReportSource({ db }: { db: Db }): AlertSource<"REPORT"> {
  return {
    kind: "REPORT",
    async find({ accountId, watched }): Promise<Finding<"REPORT">[]> {
      const found: Finding<"REPORT">[] = [];
      for (const environment of watched) {
        for (const schedule of await listScheduleRows(db, { accountId, environment })) {
          const { scheduleId, input, fault } = schedule;
          if (fault === undefined) continue;
          const facts = { name: input.name, reason: fault };
          const what = { environment, subject: scheduleId, cause: "REPORT", mark: fault } as const;
          found.push({ ...what, level: "SOON", facts });
        }
      }
      return found;
    },
  };
}

/** Finds undeliverable mail. This alert itself is not mailed. */
export function createMailSource({ mail }: { mail: MailService }): AlertSource<"MAIL"> {
  return {
    kind: "MAIL",
    async find({ accountId }): Promise<Finding<"MAIL">[]> {
      const stuck = await mail.findStuck(accountId);
      if (!stuck) return [];
      const { fault, since, waiting } = stuck;
      const facts = { reason: fault, since, count: waiting };
      const what = { environment: undefined, subject: "", cause: "MAIL", mark: "MAIL" } as const;
      return [{ ...what, level: "SOON", facts }];
    },
  };
}
