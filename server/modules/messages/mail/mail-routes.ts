import { mailOperations } from "../../../contract/pos/mail.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { MailService } from "./mail-service.ts";

export function registerMailRoutes(app: App, mail: MailService): void {
  handle(app, mailOperations.get, ({ actor }) => mail.getState(actor.accountId));
  handle(app, mailOperations.set, ({ actor: { accountId, staffId }, body }) =>
    mail.setServer({ accountId, staffId }, body),
  );
  handle(app, mailOperations.remove, async ({ actor: { accountId, staffId } }) => {
    await mail.removeServer({ accountId, staffId });
    return {};
  });
  handle(app, mailOperations.test, ({ actor, body }) => mail.sendTest(actor, body.to));
}
