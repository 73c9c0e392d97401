import type { MailService } from "../mail/index.ts";
import type { Base, Module } from "../module.ts";
import type { ReceiptMessages } from "../webhooks/index.ts";
import { registerLinkRoutes } from "./link-routes.ts";
import { type LinkDeps, ReceiptLinkService } from "./link-service.ts";
import { MESSAGE_JOB, MessageService } from "./message-service.ts";
import { registerPageRoutes } from "./page-routes.ts";
import { ReceiptPageService } from "./page-service.ts";
import { ReceiptSendingService } from "./sending-service.ts";

type Deps = Base &
  LinkDeps & {
    config: { host: string; port: number };
    mail: MailService;
    receiptMessages: ReceiptMessages;
  };

export function createReceiptPagesModule(deps: Deps) {
  const { accountId } = deps;
  const links = new ReceiptLinkService(deps);
  const messages = new MessageService(deps);
  const sendings = new ReceiptSendingService({ ...deps, links, messages });
  const pages = new ReceiptPageService(deps);
  return {
    services: {},
    jobs: [{ kind: MESSAGE_JOB, run: (subject) => messages.handOver(subject) }],
    root: (app) => registerPageRoutes(app, { accountId, pages }),
    pos: (app) => registerLinkRoutes(app, { ...deps, links, sendings, messages }),
  } satisfies Module;
}
