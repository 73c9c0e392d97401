import type { FastifyRequest } from "fastify";
import type { Author } from "../../../contract/pos/actor.ts";
import type {
  SentReceipt,
  SentReceiptPage,
  SentReceiptsQuery,
} from "../../../contract/pos/receipt-pages.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { App } from "../../../http/app-types.ts";
import { doorOf } from "../../../http/doors.ts";
import { handle } from "../../../http/pos-operations.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { BrandFaceService } from "../../catalog/brand-faces/index.ts";
import type { MailService } from "../../messages/mail/index.ts";
import type { ReceiptMessages } from "../../messages/webhooks/index.ts";
import type { Base, Module } from "../../module.ts";
import { staffNames } from "../../shop/staff/index.ts";
import { describeSale, findSaleNumbers } from "../sales/index.ts";
import { BillProofMaker, type BillProofThread } from "./bill-proof/bill-proof-maker.ts";
import { type LinkDeps, ReceiptLinkService } from "./link-service.ts";
import { findLink, readToken } from "./link-store.ts";
import { MESSAGE_JOB, MessageService } from "./message-service.ts";
import { ReceiptPageService } from "./page-service.ts";
import { findReach, hasAddress, readPageSettings, setPageSettings } from "./page-settings.ts";
import { ReceiptSendingService } from "./sending-service.ts";
import {
  findSending,
  listAllSendings,
  markSending,
  type SendingPlace,
  type SendingRow,
  shortened,
} from "./sending-store.ts";

export { eraseAddresses, eraseSendings, pruneLinks } from "./sending-store.ts";

interface SentReceiptServiceDeps extends LinkDeps {
  mail: MailService;
  messages: MessageService;
}

/** Lists sent receipts for owners (rules#receipt-sent-list). */
class SentReceiptService {
  readonly #deps: SentReceiptServiceDeps;

  constructor(deps: SentReceiptServiceDeps) {
    this.#deps = deps;
  }

  /** @throws Problem INVALID_REQUEST naming `before` */
  async list(accountId: string, query: SentReceiptsQuery): Promise<SentReceiptPage> {
    const { state, before, limit } = query;
    const page = { state, after: readPlace(before), limit };
    const rows = await listAllSendings(this.#deps.db, accountId, page);
    const list = await this.#view(accountId, rows);
    const last = rows.length === limit ? rows.at(-1) : undefined;
    return { list, ...(last && { next: formatPlace(last) }) };
  }

  /**
   * Resends a failed receipt with the same message id. Does nothing if the receipt is waiting.
   * @throws Problem NOT_FOUND; INVALID_REQUEST if the receipt cannot be resent
   */
  async sendAgain(
    { accountId, staffId }: Author,
    { environment, sendingId }: { environment: Scope["environment"]; sendingId: string },
  ): Promise<SentReceipt> {
    const { db, transactor, clock, sales } = this.#deps;
    const scope = { accountId, environment };
    const found = await findSending(db, scope, sendingId);
    if (!found) throw new Problem("NOT_FOUND", `No receipt was sent as ${sendingId}.`);
    const sale = await sales.getForCustomer(scope, found.sale_id, found.language);
    await transactor.transact(accountId, async (tx) => {
      const row = await findSending(tx, scope, sendingId);
      if (!row || row.state === "WAITING") return;
      await this.#requireWay(tx, row);
      const mark = { state: "WAITING", fault: null, failures: 0, ended_at: null } as const;
      await markSending(tx, row, mark);
      if (row.way === "MESSAGE") await this.#deps.messages.enqueue(tx, scope, sendingId);
      const detail = {
        ...describeSale(sale),
        to: shortened(row.recipient),
        ...(row.channel && { channel: row.channel }),
        environment,
      };
      const entry = { accountId, staffId, subject: row.sale_id, detail, at: clock.now() };
      await recordAudit(tx, { ...entry, action: "receipt.resend" });
    });
    const row = await findSending(db, scope, sendingId);
    const [view] = await this.#view(accountId, row ? [row] : []);
    if (!view) throw new Error(`the sending ${sendingId} is missing`);
    return view;
  }

  /** @throws Problem INVALID_REQUEST */
  async #requireWay(tx: Tx, row: SendingRow): Promise<void> {
    const { mail, messages } = this.#deps;
    if (row.state !== "FAILED") throw notPossible("it has gone");
    if (row.recipient === "") throw notPossible("to whom it went is no longer kept");
    const fault = await this.#findLinkFault(tx, row);
    if (fault === "OTHER_KEY") throw notPossible("its link was made with another secrets.key");
    if (fault !== undefined) throw notPossible("its link is over");
    const { account_id: accountId, environment, mail_id: mailId } = row;
    if (mailId === null) {
      const receiver = await messages.findReceiver(tx, { accountId, environment });
      if (receiver === undefined) throw notPossible("its webhook was removed or is paused");
      return;
    }
    if (!(await mail.hasServer(tx, accountId))) throw notPossible("no mail server is set");
    if (!(await mail.sendAgain(tx, { accountId, mailId }))) throw notPossible("it has gone");
  }

  async #findLinkFault(db: Db | Tx, row: SendingRow) {
    const { account_id: accountId, environment, link_id: linkId } = row;
    if (linkId === null) return undefined;
    const read = readToken(await findLink(db, { accountId, environment, linkId }), this.#deps);
    return "fault" in read ? read.fault : undefined;
  }

  async #view(accountId: string, rows: readonly SendingRow[]): Promise<SentReceipt[]> {
    const { db } = this.#deps;
    const people = [...new Set(rows.map(({ staff_id }) => staff_id))];
    const names = await staffNames(db, accountId, people);
    const saleIds = rows.map(({ sale_id }) => sale_id);
    const numbers = await findSaleNumbers(db, accountId, saleIds);
    const list: SentReceipt[] = [];
    for (const row of rows) {
      const isThere = row.state === "FAILED" && row.recipient !== "";
      list.push({
        ...toView(row),
        saleNumber: numbers.get(row.sale_id) ?? 0,
        sentBy: names.get(row.staff_id) ?? "",
        canSendAgain: isThere && (await this.#findLinkFault(db, row)) === undefined,
      });
    }
    return list;
  }
}

function toView(row: SendingRow): Omit<SentReceipt, "saleNumber" | "sentBy" | "canSendAgain"> {
  const { channel, receiver, fault, ended_at: endedAt, recipient } = row;
  const to = shortened(recipient);
  return {
    sendingId: row.sending_id,
    environment: row.environment,
    saleId: row.sale_id,
    way: row.way,
    ...(channel !== null && { channel }),
    to,
    state: row.state,
    ...(receiver !== null && { receiver }),
    // Shortens the address in the error, because mail servers quote addresses that they refuse.
    ...(fault !== null && { fault: recipient === "" ? fault : fault.replaceAll(recipient, to) }),
    createdAt: toTimestamp(row.created_at),
    ...(endedAt !== null && { endedAt: toTimestamp(endedAt) }),
  };
}

function formatPlace({ created_at, environment, sending_id }: SendingPlace): string {
  return `${created_at}-${environment}-${sending_id}`;
}

/** @throws Problem INVALID_REQUEST */
function readPlace(before: string | undefined): SendingPlace | undefined {
  if (before === undefined) return undefined;
  const { at, environment, id } =
    /^(?<at>\d{1,15})-(?<environment>test|live)-(?<id>[\da-f-]{36})$/.exec(before)?.groups ?? {};
  if (at === undefined || environment === undefined || id === undefined) {
    throw new Problem("INVALID_REQUEST", "before is not the next of a page.", {
      before: "must be `next` of the page before",
    });
  }
  const isLive = environment === "live";
  return { created_at: Number(at), environment: isLive ? "live" : "test", sending_id: id };
}

function notPossible(reason: string): Problem {
  return new Problem("INVALID_REQUEST", `The receipt cannot be sent again: ${reason}.`, {
    sendingId: reason,
  });
}

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
    pos: (app) => registerLinkRoutes(app, { ...deps, links, sendings, sent, messages }),
  } satisfies Module;
}

type LinkRoutesDeps = ReceiptPagesModuleDeps & {
  links: ReceiptLinkService;
  sendings: ReceiptSendingService;
  sent: SentReceiptService;
  messages: MessageService;
};

async function registerLinkRoutes(app: App, deps: LinkRoutesDeps): Promise<void> {
  const { receiptPageOperations } = await import("../../../contract/pos/receipt-pages.ts");
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
