import type { BrandFaceService } from "../../catalog/brand-faces/index.ts";
import type { MailService } from "../../messages/mail/index.ts";
import type { ReceiptMessages } from "../../messages/webhooks/index.ts";
import type { Base, Module } from "../../module.ts";
import { BillProofMaker, type BillProofThread } from "./bill-proof/bill-proof-maker.ts";
import { type LinkDeps, ReceiptLinkService } from "./link-service.ts";
import { MESSAGE_JOB, MessageService } from "./message-service.ts";
import { ReceiptPageService } from "./page-service.ts";
import { hasAddress } from "./page-settings.ts";
import { ReceiptSendingService } from "./sending-service.ts";
import { SentReceiptService } from "./sent-receipts.ts";

export { eraseAddresses, eraseSendings, pruneLinks } from "./sending-store.ts";

type ReceiptPagesModuleDeps = Base &
  LinkDeps & {
    background: BillProofThread;
    config: LinkDeps["config"] & { port: number; resourcesDir: string };
    brandFaces: BrandFaceService;
    mail: MailService;
    receiptMessages: ReceiptMessages;
  };

export function createReceiptPagesModule(deps: ReceiptPagesModuleDeps) {
  const { accountId, db } = deps;
  const links = new ReceiptLinkService(deps);
  const messages = new MessageService(deps);
  const proofs = new BillProofMaker(deps);
  const sendings = new ReceiptSendingService({ ...deps, links, messages, proofs });
  const sent = new SentReceiptService({ ...deps, messages });
  const pages = new ReceiptPageService({ ...deps, proofs });
  return {
    services: { receiptPages: { hasAddress: () => hasAddress(db, accountId) } },
    jobs: [{ kind: MESSAGE_JOB, run: (subject) => messages.handOver(subject) }],
    pages: async (app) =>
      (await import("./page-routes.ts")).registerPageRoutes(app, { accountId, pages }),
    pos: async (app) =>
      (await import("./link-routes.ts")).registerLinkRoutes(app, {
        ...deps,
        links,
        sendings,
        sent,
        messages,
      }),
  } satisfies Module;
}
