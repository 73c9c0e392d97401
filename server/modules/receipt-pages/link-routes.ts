import type { FastifyRequest } from "fastify";
import { receiptPageOperations } from "../../contract/pos/receipt-page-operations.ts";
import type { App } from "../../http/app-types.ts";
import { handle } from "../../http/pos-operations.ts";
import type { MailService } from "../mail/index.ts";
import type { LinkDeps, ReceiptLinkService } from "./link-service.ts";
import type { MessageService } from "./message-service.ts";
import { readPageSettings, setPageSettings } from "./page-settings.ts";
import { reachOf } from "./receipt-reach.ts";
import type { ReceiptSendingService } from "./sending-service.ts";

type Deps = LinkDeps & {
  links: ReceiptLinkService;
  sendings: ReceiptSendingService;
  messages: MessageService;
  mail: MailService;
  config: { host: string; port: number };
};

/** Links to receipts, and what an owner says of them. */
export function registerLinkRoutes(app: App, deps: Deps): void {
  const { db, links, sendings, messages, mail, config } = deps;
  const portOf = (request: FastifyRequest) => request.socket.localPort ?? config.port;

  handle(app, receiptPageOperations.getSettings, ({ actor }) =>
    readPageSettings(db, actor.accountId),
  );
  handle(app, receiptPageOperations.setSettings, ({ actor, body }) =>
    setPageSettings(deps, actor, body),
  );
  handle(app, receiptPageOperations.ways, async ({ actor, request }) => {
    const settings = await readPageSettings(db, actor.accountId);
    const { reach } = reachOf(settings, { host: config.host, port: portOf(request) });
    const hasMail = await mail.hasServer(db, actor.accountId);
    const receiver = await messages.findReceiver(db, actor);
    return { enabled: settings.enabled, reach, mail: hasMail, ...(receiver && { receiver }) };
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
  handle(app, receiptPageOperations.revoke, async ({ actor, params }) => {
    await links.revoke(actor, params);
    return {};
  });
}
