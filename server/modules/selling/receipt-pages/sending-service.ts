import type { Actor } from "../../../contract/pos/actor.ts";
import { isOpenOutcome, nameOutcome } from "../../../contract/pos/outcome.ts";
import {
  type MessageChannel,
  type ReceiptSending,
  type ReceiptSendingInput,
  SENDING_FAULTS,
} from "../../../contract/pos/receipt-pages.ts";
import type { Need } from "../../../contract/pos/rights.ts";
import type { SaleLine } from "../../../contract/pos/sale-lines.ts";
import type { Sale } from "../../../contract/pos/sales.ts";
import type { Language } from "../../../contract/pos/setup.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { decodeSubject, encodeSubject } from "../../../jobs/job-subject.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { canonicalNumber } from "../../catalog/phone-lookup/index.ts";
import {
  type MadeMail,
  type MailMark,
  type MailService,
  NothingToSend,
} from "../../messages/mail/index.ts";
import type { Shop } from "../../shop/shop/index.ts";
import { requireRights, staffNames } from "../../shop/staff/index.ts";
import { describeSale } from "../sales/index.ts";
import { type BillProofMaker, isPaidBill, proofName } from "./bill-proof/bill-proof-maker.ts";
import type { LinkDeps, ReceiptLinkService } from "./link-service.ts";
import { findLink, readToken } from "./link-store.ts";
import type { MessageService } from "./message-service.ts";
import { getLineTitle, getWords, listPlaces, PageFormat } from "./page-format.ts";
import { addressForAll, PAGE_PREFIX, readPageSettings } from "./page-settings.ts";
import {
  addSending,
  findSending,
  listSendings,
  markSending,
  type SendingRow,
  shortened,
} from "./sending-store.ts";

interface ReceiptSendingServiceDeps extends LinkDeps {
  links: ReceiptLinkService;
  mail: MailService;
  messages: MessageService;
  proofs: BillProofMaker;
}

const SHOWN = 20;

interface SendingRequest {
  sale: Sale;
  needs: readonly Need[];
  input: ReceiptSendingInput;
  language: Language;
  shopName: string;
}

/** Each sending is requested once, and retried until it is delivered (rules#receipt-sendings). */
export class ReceiptSendingService {
  readonly #deps: ReceiptSendingServiceDeps;

  constructor(deps: ReceiptSendingServiceDeps) {
    this.#deps = deps;
    deps.mail.makeBy({
      make: (madeOf) => this.#makeMail(madeOf),
      mark: (tx, madeOf, mark) => this.#mark(tx, madeOf, mark),
    });
  }

  /**
   * Requests a sending. A repeated id is the same sending.
   * @throws Problem NOT_FOUND, ID_TAKEN, APPROVAL_REQUIRED, INVALID_REQUEST naming `to`
   */
  async send(seller: Actor, saleId: string, input: ReceiptSendingInput): Promise<ReceiptSending> {
    const { db, transactor, sales, shop, links } = this.#deps;
    const sale = await sales.get(seller, saleId);
    const { name: shopName, language: ofShop } = await shop.get(seller.accountId);
    const language = input.language ?? ofShop;
    const needs = await links.listNeeds(seller, sale);
    const asked = { sale, needs, input, language, shopName };
    await transactor.transact(seller.accountId, (tx) => this.#write(tx, seller, asked));
    const row = await findSending(db, seller, input.sendingId);
    if (!row) throw new Error(`the saved sending ${input.sendingId} is missing`);
    return viewSending(row, new Map([[seller.staffId, seller.name]]));
  }

  /** Lists sendings; none for readers who may not see the recipients. */
  async list(reader: Actor, saleId: string): Promise<ReceiptSending[]> {
    const { db, sales } = this.#deps;
    const sale = await sales.get(reader, saleId);
    if ((await sales.needsToSee(reader, sale)).length > 0) return [];
    const rows = await listSendings(db, reader, saleId, SHOWN);
    const people = rows.map(({ staff_id }) => staff_id);
    const names = await staffNames(db, reader.accountId, people);
    return rows.map((row) => viewSending(row, names));
  }

  async #write(tx: Tx, seller: Actor, asked: SendingRequest): Promise<void> {
    const { clock, links, messages } = this.#deps;
    const { sale, needs, input, language } = asked;
    const { accountId, environment, staffId } = seller;
    const { sendingId, approvalId, to, channel, ...rest } = input;
    const { saleId } = sale;
    const earlier = await findSending(tx, seller, sendingId);
    if (earlier) {
      if (earlier.sale_id === saleId && earlier.staff_id === staffId) return;
      throw new Problem("ID_TAKEN", "Another sending has this id.", { sendingId: "is taken" });
    }
    const at = clock.now();
    const way = channel === undefined ? "EMAIL" : "MESSAGE";
    const request = { saleId, sendingId, to, ...rest, ...(channel !== undefined && { channel }) };
    const settings = await readPageSettings(tx, accountId);
    const hasLink = settings.enabled && addressForAll(settings, this.#deps) !== "";
    await this.#requireWay(tx, seller, { sale, channel, to, hasLink });
    if (hasLink) {
      const link = { saleId, linkId: sendingId, language, approvalId, request };
      await links.add(tx, seller, { sale, needs }, link);
    } else {
      const facts = describeSale(sale);
      await requireRights(tx, seller, { needs, subject: saleId, request, approvalId, facts, at });
    }
    const mailId = channel === undefined ? await this.#writeMail(tx, seller, asked) : null;
    if (channel !== undefined) await messages.enqueue(tx, seller, sendingId);
    await addSending(tx, {
      account_id: accountId,
      environment,
      sending_id: sendingId,
      sale_id: saleId,
      way,
      channel: channel ?? null,
      receiver: null,
      failures: 0,
      recipient: channel === undefined ? to : canonicalNumber(to),
      link_id: hasLink ? sendingId : null,
      mail_id: mailId,
      staff_id: staffId,
      language,
      state: "WAITING",
      fault: null,
      created_at: at,
      ended_at: null,
    });
    // The recipient is shortened, because the audit trail is permanent.
    const detail = {
      ...describeSale(sale),
      to: shortened(to),
      ...(channel && { channel }),
      environment,
    };
    const entry = { accountId, staffId, subject: saleId, detail, at };
    await recordAudit(tx, { ...entry, action: "receipt.send" });
  }

  /** @throws Problem INVALID_REQUEST naming `to` or `channel` */
  async #requireWay(
    tx: Tx,
    scope: Scope,
    way: { sale: Sale; channel: MessageChannel | undefined; to: string; hasLink: boolean },
  ): Promise<void> {
    const { sale, channel, to, hasLink } = way;
    const { mail, messages } = this.#deps;
    if (to.includes("@") === (channel !== undefined)) {
      throw refused(channel ? "takes a phone number for a message" : "takes an e-mail address");
    }
    if (channel === undefined) {
      const isOpen = sale.lines.some(({ outcome }) => isOpenOutcome(outcome));
      if (!(await mail.hasServer(tx, scope.accountId))) {
        throw refused("takes a mail server of the shop");
      }
      if (!hasLink && isOpen) {
        throw refused("takes a sale that has ended: a mail without a link stays as it is");
      }
      return;
    }
    if (!hasLink) throw refused("takes a public address of the pages of receipts", "channel");
    if (sale.training) throw refused("takes a sale that is no training", "channel");
    if ((await messages.findReceiver(tx, scope)) === undefined) {
      throw refused("takes a webhook of kind RECEIPT that is not paused", "channel");
    }
  }

  #writeMail(
    tx: Tx,
    seller: Actor,
    { sale: { saleNumber }, shopName: name, language, input: { to, sendingId } }: SendingRequest,
  ): Promise<string> {
    return this.#deps.mail.write(tx, {
      accountId: seller.accountId,
      recipients: [to],
      subject: mailSubject({ name, saleNumber, language }),
      body: "",
      madeOf: encodeSubject(seller, sendingId),
    });
  }

  /**
   * Composes a mail at sending time, because the link is not stored. A mail without a link has the
   * proofs of the bills attached.
   */
  async #makeMail(madeOf: string): Promise<MadeMail> {
    const { db, sales, shop } = this.#deps;
    const { scope, id: sendingId } = decodeSubject(madeOf);
    const { accountId } = scope;
    const sending = await findSending(db, scope, sendingId);
    if (!sending) throw new NothingToSend(SENDING_FAULTS.NOBODY);
    const { language, sale_id: saleId, link_id: linkId } = sending;
    const settings = await readPageSettings(db, accountId);
    const about = {
      accountId,
      shop: await shop.get(accountId),
      sale: await sales.getForCustomer(scope, saleId, language),
      language,
      withDetails: settings.detailsInMail,
    };
    if (linkId === null) {
      return { text: mailText(about), attachments: await this.#drawProofs(about) };
    }
    const link = await findLink(db, { ...scope, linkId });
    const address = addressForAll(settings, this.#deps);
    const isOff = !settings.enabled || address === "";
    if (isOff || !link) throw new NothingToSend(SENDING_FAULTS.LINK_OVER);
    const read = readToken(link, this.#deps);
    if ("fault" in read) throw new NothingToSend(SENDING_FAULTS[read.fault]);
    const url = `${address}${PAGE_PREFIX}/${read.token}`;
    return { text: mailText({ ...about, link: { url, expiresAt: link.expiresAt } }) };
  }

  async #mark(tx: Tx, madeOf: string, { state, fault }: MailMark): Promise<void> {
    const { scope, id: sending_id } = decodeSubject(madeOf);
    const key = { account_id: scope.accountId, environment: scope.environment, sending_id };
    const ended_at = state === "WAITING" ? null : this.#deps.clock.now();
    await markSending(tx, key, { state, fault: fault ?? null, ended_at });
  }

  async #drawProofs(about: { accountId: string; shop: Shop; sale: Sale; language: Language }) {
    const proofs = [];
    for (const line of about.sale.lines.filter(isPaidBill)) {
      const content = await this.#deps.proofs.draw({ ...about, line });
      proofs.push({ name: proofName(about.sale, line), content });
    }
    return proofs;
  }
}

function viewSending(row: SendingRow, names: ReadonlyMap<string, string>): ReceiptSending {
  return {
    sendingId: row.sending_id,
    way: row.way,
    ...(row.channel !== null && { channel: row.channel }),
    to: row.recipient,
    state: row.state,
    ...(row.receiver !== null && { receiver: row.receiver }),
    ...(row.fault !== null && { fault: row.fault }),
    sentBy: names.get(row.staff_id) ?? "",
    createdAt: toTimestamp(row.created_at),
  };
}

function refused(rule: string, field = "to"): Problem {
  return new Problem("INVALID_REQUEST", `The receipt cannot be sent: it ${rule}.`, {
    [field]: rule,
  });
}

interface MailAbout {
  shop: Shop;
  sale: Sale;
  language: Language;
  withDetails: boolean;
  /** Without a link, the mail itself is the receipt. */
  link?: { url: string; expiresAt: number };
}

function mailSubject({
  name,
  saleNumber,
  language,
}: {
  name: string;
  saleNumber: number;
  language: Language;
}): string {
  const words = getWords(language);
  return `${words.title} · ${name} · ${fill(words.sale, String(saleNumber))}`;
}

function mailText({ shop, sale, language, withDetails, link }: MailAbout): string {
  const format = new PageFormat(language, shop);
  const { words } = format;
  const mark = sale.training ? words.training : words.test;
  const head = [
    ...(sale.training || sale.environment === "test" ? [mark, ""] : []),
    shop.name,
    ...shop.receipt.address,
    ...shop.receipt.support,
    "",
    `${fill(words.sale, String(sale.saleNumber))} · ${format.moment(sale.createdAt)}`,
    "",
  ];
  if (link) {
    const until = fill(words.keptUntil, format.moment(link.expiresAt));
    return [...head, words.mailLink, link.url, "", until].join("\n");
  }
  const lines = sale.lines.flatMap((line) => [
    ...lineText(line, { sale, format, withDetails }),
    "",
  ]);
  const total = format.formatAmount(sale.total + sale.cashRounding, sale);
  return [...head, ...lines, `${words.total}: ${total}`].join("\n");
}

function lineText(
  line: SaleLine,
  { sale, format, withDetails }: { sale: Sale; format: PageFormat; withDetails: boolean },
): string[] {
  const { words } = format;
  const price = format.formatAmount(line.price - line.discount, sale);
  const { voucher, esim } = line;
  const places = line.productType === "ESIM" ? listPlaces(line, format) : [];
  const secrets = withDetails
    ? [
        ...named(words.pin, voucher?.epin),
        ...named(words.serialNumber, voucher?.serialNumber),
        ...named(words.redeemAt, voucher?.redemptionUrl),
        ...named(words.smdp, esim?.smdpAddress),
        ...named(words.activationCode, esim?.activationCode),
      ]
    : [];
  const back =
    line.outcome === "NOT_DELIVERED"
      ? [fill(line.refunded ? words.refunded : words.refundDue, price)]
      : [];
  return [
    `${line.brandName} · ${getLineTitle(line, format)} · ${price}`,
    ...(line.recipientFormatted === "" ? [] : [line.recipientFormatted]),
    ...(places.length === 0 ? [] : [fill(words.worksIn, format.list(places))]),
    ...(line.fee === undefined ? [] : feeText(line, { sale, format })),
    words[nameOutcome(line.outcome, [line])],
    ...back,
    ...named(words.confirmation, line.confirmationNumber),
    ...secrets,
    ...(isPaidBill(line) ? [words.mailProof] : []),
    ...(line.details === "SHOWN" && !withDetails ? [words.mailNoDetails] : []),
  ];
}

function feeText(
  { price, discount, fee = 0 }: SaleLine,
  { sale, format }: { sale: Sale; format: PageFormat },
): string[] {
  const { words } = format;
  return [
    ...named(words.amount, format.formatAmount(price - fee, sale)),
    ...named(words.fee, format.formatAmount(fee, sale)),
    ...(discount > 0 ? named(words.discount, format.formatAmount(-discount, sale)) : []),
  ];
}

function named(name: string, text = ""): string[] {
  return text === "" ? [] : [`${name}: ${text}`];
}

function fill(text: string, value: string): string {
  return text.replace(/\{\{\w+\}\}/, () => value);
}
