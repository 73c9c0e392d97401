import type { FastifyRequest } from "fastify";
import { receiptPageOperations } from "../../../contract/pos/receipt-pages.ts";
import type { App } from "../../../http/app-types.ts";
import { doorOf } from "../../../http/doors.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { MailService } from "../../messages/mail/index.ts";
import type { LinkDeps, ReceiptLinkService } from "./link-service.ts";
import type { MessageService } from "./message-service.ts";
import { findReach, type ReachDeps, readPageSettings, setPageSettings } from "./page-settings.ts";
import type { ReceiptSendingService } from "./sending-service.ts";
import type { SentReceiptService } from "./sent-receipts.ts";

type LinkRoutesDeps = LinkDeps & {
  links: ReceiptLinkService;
  sendings: ReceiptSendingService;
  sent: SentReceiptService;
  messages: MessageService;
  mail: MailService;
  config: ReachDeps["config"] & { port: number };
};

export function registerLinkRoutes(app: App, deps: LinkRoutesDeps): void {
  const { db, links, sendings, sent, messages, mail, config } = deps;
  // Without a public address, links use this machine's port, never the tills' port, which has its
  // own certificate.
  const portOf = (request: FastifyRequest) =>
    (doorOf(request) === "machine" ? request.socket.localPort : undefined) ?? config.port;

  handle(app, receiptPageOperations.getSettings, ({ actor }) =>
    readPageSettings(db, actor.accountId),
  );
  handle(app, receiptPageOperations.setSettings, ({ actor, body }) =>
    setPageSettings(deps, actor, body),
  );
  handle(app, receiptPageOperations.ways, async ({ actor, request }) => {
    const settings = await readPageSettings(db, actor.accountId);
    const { reach, isWarnedOf } = findReach(settings, { ...deps, port: portOf(request) });
    const hasMail = await mail.hasServer(db, actor.accountId);
    const receiver = await messages.findReceiver(db, actor);
    return {
      enabled: settings.enabled,
      reach,
      warned: isWarnedOf,
      mail: hasMail,
      ...(receiver && { receiver }),
    };
  });
  handle(app, receiptPageOperations.list, async ({ actor, params }) => ({
    links: await links.list(actor, params.saleId),
    sendings: await sendings.list(actor, params.saleId),
  }));
  handle(app, receiptPageOperations.make, ({ actor, params, body, request }) =>
    links.make(actor, params.saleId, body, portOf(request)),
  );
  handle(app, receiptPageOperations.send, ({ actor, params, body }) =>
    sendings.send(actor, params.saleId, body),
  );
  handle(app, receiptPageOperations.listSent, ({ actor, query }) =>
    sent.list(actor.accountId, query),
  );
  handle(app, receiptPageOperations.sendAgain, ({ actor, params, body }) =>
    sent.sendAgain(actor, { ...params, ...body }),
  );
  handle(app, receiptPageOperations.revoke, async ({ actor, params }) => {
    await links.revoke(actor, params);
    return {};
  });
}
