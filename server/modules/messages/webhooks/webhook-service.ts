import type { Author, ScopedAuthor } from "../../../contract/pos/actor.ts";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import {
  HEADER_NAME_PATTERN,
  HEADER_VALUE_PATTERN,
  isOnlyOne,
  type Webhook,
  type WebhookChange,
  type WebhookCreated,
  type WebhookDelivery,
  type WebhookDeliveryQuery,
  type WebhookInput,
  type WebhookSecret,
  type WebhookTest,
} from "../../../contract/pos/webhooks.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChange } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { ListTotals } from "../../../db/list-totals.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { type Clock, DAY, toTimestamp } from "../../../lib/clock.ts";
import { whyNotUrl } from "../../../lib/guarded-request.ts";
import type { Ids } from "../../../lib/ids.ts";
import type { Sealer } from "../../../lib/sealer.ts";
import { listAttempts } from "./attempt-store.ts";
import {
  cancelDeliveries,
  countWaiting,
  type Delivery,
  listDeliveries,
  updateDelivery,
} from "./delivery-store.ts";
import {
  changeTarget,
  clearFailures,
  createEndpoint,
  type Endpoint,
  findEndpoint,
  listEndpoints,
  type NewEndpoint,
  removeEndpoint,
  replaceSecret,
} from "./endpoint-store.ts";
import type { RecordAudit } from "./owner-alert.ts";
import { DELIVER_JOB, toSubject } from "./webhook-outbox.ts";
import { makeSample } from "./webhook-sample.ts";
import {
  type Attempt,
  createSecret,
  DELIVERY_TIMEOUT_MS,
  isTaken,
  type Target,
  type WebhookSender,
} from "./webhook-sender.ts";

/** The gateway sets these headers itself. */
const OWN_HEADERS =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|user-agent|webhook-.*)$/i;

const HEADER_NAME = new RegExp(HEADER_NAME_PATTERN);
const HEADER_VALUE = new RegExp(HEADER_VALUE_PATTERN);

/** Maximum number of webhooks per kind and environment. */
export const MAX_ENDPOINTS = 10;
const OLD_SECRET_VALID_MS = DAY;

interface WebhookServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  ids: Ids;
  sealer: Sealer;
  sender: WebhookSender;
  recordAudit: RecordAudit;
}

export interface PreparedEndpoint {
  endpoint: NewEndpoint;
  secret: string;
}

/** rules#webhook-registration */
export class WebhookService {
  readonly #deps: WebhookServiceDeps;
  readonly #totals = new ListTotals();

  constructor(deps: WebhookServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Adds a webhook after a successful HEAD request. The returned secret is never shown again.
   * @param secret signing secret; a new secret by default
   * @throws Problem INVALID_REQUEST naming the field
   */
  async add(author: Author, input: WebhookInput, secret?: string): Promise<WebhookCreated> {
    const prepared = await this.prepare(author, input, secret);
    await this.#deps.transactor.transact(author.accountId, (tx) =>
      this.addIn(tx, author, prepared),
    );
    return { webhook: toWebhookView(prepared.endpoint, 0), secret: prepared.secret };
  }

  /**
   * Sends a HEAD request to the endpoint.
   * @throws Problem INVALID_REQUEST naming the field
   */
  async prepare(
    author: Author,
    input: WebhookInput,
    secret = createSecret(this.#deps.ids),
  ): Promise<PreparedEndpoint> {
    const { db, clock, ids, sealer, sender } = this.#deps;
    const target = toTarget(input);
    await this.#checkRoom(db, author.accountId, input, target.url);
    const fault = await sender.probe(target);
    if (fault) throw invalid("url", fault);
    const endpoint = {
      accountId: author.accountId,
      environment: input.environment,
      endpointId: ids.uuid(),
      kind: input.kind,
      url: target.url,
      headerName: target.header?.name,
      sealedHeaderValue: target.header && sealer.seal(target.header.value),
      sealedSecret: sealer.seal(secret),
      allowPrivate: target.allowPrivate,
      createdAt: clock.now(),
    };
    return { endpoint, secret };
  }

  /**
   * Prepares a copy for another environment, with a new secret.
   * @throws Problem NOT_FOUND, INVALID_REQUEST naming the field
   */
  async prepareCopy({ environment, ...author }: ScopedAuthor, endpointId: string) {
    const { db, sealer } = this.#deps;
    const endpoint = await findEndpoint(db, { accountId: author.accountId, endpointId });
    if (!endpoint) throw new Problem("NOT_FOUND", `There is no webhook ${endpointId}.`);
    const { kind, url, allowPrivate, headerName, sealedHeaderValue } = endpoint;
    const header =
      headerName !== undefined && sealedHeaderValue !== undefined
        ? { headerName, headerValue: sealer.open(sealedHeaderValue) }
        : {};
    return this.prepare(author, { environment, kind, url, allowPrivate, ...header });
  }

  /** @throws Problem INVALID_REQUEST naming the field */
  async addIn(tx: Tx, author: Author, { endpoint }: PreparedEndpoint): Promise<void> {
    const { accountId, staffId } = author;
    await this.#checkRoom(tx, accountId, endpoint, endpoint.url);
    if (!(await createEndpoint(tx, endpoint))) throw invalid("url", "is registered already");
    const { environment, kind, allowPrivate, url, endpointId: subject, createdAt: at } = endpoint;
    const detail = { environment, kind, host: new URL(url).host, allowPrivate };
    const entry = { accountId, staffId, action: "webhook.add", subject, detail, at } as const;
    await this.#deps.recordAudit(tx, entry);
    await recordChange(tx, endpoint, { topic: "webhook", subject, at });
  }

  async list(accountId: string): Promise<Webhook[]> {
    const { db } = this.#deps;
    const waiting = await countWaiting(db, accountId);
    const endpoints = await listEndpoints(db, { accountId });
    const now = this.#deps.clock.now();
    return endpoints.map((endpoint) => {
      const { oldSecret } = endpoint;
      const valid = oldSecret && oldSecret.until > now ? oldSecret : undefined;
      return toWebhookView(
        { ...endpoint, oldSecret: valid },
        waiting.get(endpoint.endpointId) ?? 0,
      );
    });
  }

  /**
   * Removes a webhook and cancels its pending deliveries. Finished deliveries stay listed.
   * @throws Problem NOT_FOUND
   */
  async remove(author: Author, endpointId: string): Promise<void> {
    await this.#change(author, endpointId, "webhook.remove", async (tx, endpoint, at) => {
      await removeEndpoint(tx, endpoint, at);
      await cancelDeliveries(tx, endpoint);
    });
  }

  /**
   * Replaces the target after a successful HEAD request. The webhook keeps its id, secret and
   * deliveries, so that no purchase passes unverified.
   * @throws Problem NOT_FOUND, INVALID_REQUEST naming the field
   */
  async change(author: Author, endpointId: string, input: WebhookChange): Promise<void> {
    const { db, sealer, sender } = this.#deps;
    const before = await findEndpoint(db, { accountId: author.accountId, endpointId });
    if (!before) throw new Problem("NOT_FOUND", `There is no webhook ${endpointId}.`);
    const target = toTarget(input);
    const fault = await sender.probe(target);
    if (fault) throw invalid("url", fault);
    await this.#change(author, endpointId, "webhook.change", async (tx, endpoint) => {
      const { accountId, environment, kind } = endpoint;
      const registered = await listEndpoints(tx, { accountId, environment, kind });
      const isTaken = registered.some(
        (other) => other.endpointId !== endpointId && other.url === target.url,
      );
      if (isTaken) throw invalid("url", "is registered already");
      const { url, header, allowPrivate } = target;
      const sealedHeaderValue = header && sealer.seal(header.value);
      await changeTarget(tx, endpoint, {
        url,
        headerName: header?.name,
        sealedHeaderValue,
        allowPrivate,
      });
      await clearFailures(tx, endpoint);
    });
  }

  /**
   * Replaces the secret. For a day, deliveries are signed with both secrets, so that the receiver
   * can change its secret without refusing a delivery.
   * @throws Problem NOT_FOUND
   */
  async rotateSecret(author: Author, endpointId: string): Promise<WebhookSecret> {
    const { clock, ids, sealer } = this.#deps;
    const secret = createSecret(ids);
    const until = clock.now() + OLD_SECRET_VALID_MS;
    await this.#change(author, endpointId, "webhook.secret", (tx, endpoint) =>
      replaceSecret(tx, endpoint, { sealedSecret: sealer.seal(secret), until }),
    );
    return { secret, oldSecretUntil: toTimestamp(until) };
  }

  /**
   * Ends a pause, and sends pending deliveries at once.
   * @throws Problem NOT_FOUND
   */
  async resume(author: Author, endpointId: string): Promise<void> {
    await this.#change(author, endpointId, "webhook.resume", async (tx, endpoint, at) => {
      await clearFailures(tx, endpoint);
      await enqueueJob(tx, { kind: DELIVER_JOB, subject: toSubject(endpoint), runAt: at });
    });
  }

  /**
   * Posts a sample instead of a real transaction, even to a paused endpoint. The outcome neither
   * pauses nor resumes the endpoint.
   * @throws Problem NOT_FOUND; SYSTEM_UNAVAILABLE while the gateway stops
   */
  async test(author: Author, endpointId: string): Promise<WebhookTest> {
    const { db, transactor, clock, ids, sender, recordAudit } = this.#deps;
    const endpoint = await findEndpoint(db, { accountId: author.accountId, endpointId });
    if (!endpoint) throw new Problem("NOT_FOUND", `There is no webhook ${endpointId}.`);
    const message = { id: `msg_test_${ids.uuid()}`, body: makeSample(endpoint.kind) };
    const attempt = await sender.post(endpoint, message, DELIVERY_TIMEOUT_MS);
    if (!attempt) throw new Problem("SYSTEM_UNAVAILABLE", "Tillgate is stopping.");
    const { environment, kind, url } = endpoint;
    const { status } = attempt;
    const detail = {
      environment,
      kind,
      host: new URL(url).host,
      ...(status !== undefined && { status }),
    };
    await transactor.transact(author.accountId, (tx) =>
      recordAudit(tx, {
        ...author,
        action: "webhook.test",
        subject: endpointId,
        detail,
        at: clock.now(),
      }),
    );
    return { attempt: toAttemptView(attempt), taken: isTaken(attempt) };
  }

  async listDeliveries(
    accountId: string,
    query: WebhookDeliveryQuery,
  ): Promise<{ total: number; list: WebhookDelivery[] }> {
    const { _limit: limit, _offset: offset, webhookId: endpointId, ...filter } = query;
    const page = { limit, offset };
    const wanted = { ...filter, endpointId };
    const found = await listDeliveries(this.#deps.db, accountId, wanted, page, this.#totals);
    return { total: found.total, list: await this.#view(accountId, found.list) };
  }

  /**
   * Resends a delivery with the same bytes and id. Earlier attempts stay listed.
   * @throws Problem NOT_FOUND; INVALID_REQUEST if the delivery cannot be resent
   */
  async resend(author: Author, deliveryId: string): Promise<WebhookDelivery> {
    const { transactor, clock, recordAudit } = this.#deps;
    const at = clock.now();
    await transactor.transact(author.accountId, async (tx) => {
      const delivery = await this.#getDelivery(tx, author.accountId, deliveryId);
      const endpoint = await findEndpoint(tx, delivery);
      if (!endpoint) throw notPossible("its webhook has been removed");
      if (endpoint.pausedAt !== undefined) throw notPossible("its webhook is paused: resume it");
      if (delivery.state === "PENDING" && delivery.nextAttemptAt === undefined) {
        throw notPossible("it is being asked now");
      }
      await updateDelivery(tx, delivery, { state: "PENDING", failures: 0, nextAttemptAt: at });
      await enqueueJob(tx, { kind: DELIVER_JOB, subject: toSubject(delivery), runAt: at });
      const { environment, kind, transactionId } = delivery;
      const detail = { environment, kind, transactionId };
      await recordAudit(tx, {
        ...author,
        action: "webhook.resend",
        subject: deliveryId,
        detail,
        at,
      });
    });
    const delivery = await this.#getDelivery(this.#deps.db, author.accountId, deliveryId);
    const [view] = await this.#view(author.accountId, [delivery]);
    if (!view) throw new Error("the delivery has no view");
    return view;
  }

  async #change(
    author: Author,
    endpointId: string,
    action: AuditAction,
    work: (tx: Tx, endpoint: Endpoint, at: number) => Promise<void>,
  ): Promise<void> {
    const { transactor, clock, recordAudit } = this.#deps;
    const at = clock.now();
    await transactor.transact(author.accountId, async (tx) => {
      const endpoint = await findEndpoint(tx, { accountId: author.accountId, endpointId });
      if (!endpoint) throw new Problem("NOT_FOUND", `There is no webhook ${endpointId}.`);
      await work(tx, endpoint, at);
      const { environment, kind, url } = endpoint;
      const detail = { environment, kind, host: new URL(url).host };
      await recordAudit(tx, { ...author, action, subject: endpointId, detail, at });
      await recordChange(tx, endpoint, { topic: "webhook", subject: endpointId, at });
    });
  }

  /** Allows one verifier, one receiver of receipts, several listeners and no duplicate address. */
  async #checkRoom(
    db: Db | Tx,
    accountId: string,
    { environment, kind }: Pick<WebhookInput, "environment" | "kind">,
    url: string,
  ): Promise<void> {
    const registered = await listEndpoints(db, { accountId, environment, kind });
    if (registered.some((endpoint) => endpoint.url === url)) {
      throw invalid("url", "is registered already");
    }
    if (isOnlyOne(kind) && registered.length > 0) {
      const what = kind === "TRANSACTION" ? "verify transactions" : "be handed receipts";
      throw invalid("kind", `is registered already: only one webhook can ${what}`);
    }
    if (registered.length >= MAX_ENDPOINTS) {
      throw invalid("kind", `has ${MAX_ENDPOINTS} webhooks already`);
    }
  }

  async #getDelivery(db: Db | Tx, accountId: string, deliveryId: string): Promise<Delivery> {
    const page = { limit: 1, offset: 0 };
    const [found] = (await listDeliveries(db, accountId, { deliveryId }, page)).list;
    if (!found) throw new Problem("NOT_FOUND", `There is no delivery ${deliveryId}.`);
    return found;
  }

  async #view(accountId: string, deliveries: Delivery[]): Promise<WebhookDelivery[]> {
    const ids = deliveries.map(({ deliveryId }) => deliveryId);
    const attempts = await listAttempts(this.#deps.db, accountId, ids);
    return deliveries.map((delivery) =>
      toDeliveryView(delivery, attempts.get(delivery.deliveryId) ?? []),
    );
  }
}

/** @throws Problem INVALID_REQUEST naming the field */
function toTarget(input: WebhookChange): Target {
  const fault = whyNotUrl(input.url);
  if (fault) throw invalid("url", fault);
  const { headerName: name, headerValue: value, allowPrivate = false } = input;
  if (name === undefined && value !== undefined) throw invalid("headerName", "is required");
  if (name !== undefined && value === undefined) throw invalid("headerValue", "is required");
  const url = new URL(input.url).href;
  if (name === undefined || value === undefined) return { url, header: undefined, allowPrivate };
  if (!HEADER_NAME.test(name)) throw invalid("headerName", "must be the name of an HTTP header");
  if (OWN_HEADERS.test(name)) throw invalid("headerName", "cannot be set");
  if (!HEADER_VALUE.test(value)) throw invalid("headerValue", "must be visible ASCII characters");
  return { url, header: { name, value }, allowPrivate };
}

function invalid(field: string, rule: string): Problem {
  return new Problem("INVALID_REQUEST", `${field} ${rule}${rule.endsWith(".") ? "" : "."}`, {
    [field]: rule,
  });
}

function notPossible(why: string): Problem {
  return new Problem("INVALID_REQUEST", `It cannot be sent again: ${why}.`, { deliveryId: why });
}

function toWebhookView(endpoint: NewEndpoint & Partial<Endpoint>, waiting: number): Webhook {
  const { failingSince, lastFailure, pausedAt } = endpoint;
  return {
    webhookId: endpoint.endpointId,
    environment: endpoint.environment,
    kind: endpoint.kind,
    url: endpoint.url,
    ...(endpoint.headerName !== undefined && { headerName: endpoint.headerName }),
    allowPrivate: endpoint.allowPrivate,
    createdAt: toTimestamp(endpoint.createdAt),
    ...(failingSince !== undefined && { failingSince: toTimestamp(failingSince) }),
    ...(lastFailure !== undefined && { lastFailure }),
    ...(pausedAt !== undefined && { pausedAt: toTimestamp(pausedAt) }),
    ...(endpoint.oldSecret && { oldSecretUntil: toTimestamp(endpoint.oldSecret.until) }),
    waiting,
  };
}

function toDeliveryView(delivery: Delivery, attempts: Attempt[]): WebhookDelivery {
  const { nextAttemptAt } = delivery;
  return {
    deliveryId: delivery.deliveryId,
    webhookId: delivery.endpointId,
    environment: delivery.environment,
    kind: delivery.kind,
    transactionId: delivery.transactionId,
    state: delivery.state,
    createdAt: toTimestamp(delivery.createdAt),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: toTimestamp(nextAttemptAt) }),
    attempts: attempts.map(toAttemptView),
  };
}

function toAttemptView({ beganAt, endedAt, status, answer, error }: Attempt) {
  return {
    beganAt: toTimestamp(beganAt),
    duration_ms: endedAt - beganAt,
    ...(status !== undefined && { status }),
    ...(answer !== undefined && { answer }),
    ...(error !== undefined && { error }),
  };
}
