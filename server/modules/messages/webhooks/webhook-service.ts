import type { Environment } from "../../../contract/common.ts";
import type { Author, ScopedAuthor } from "../../../contract/pos/actor.ts";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import {
  DEFAULT_OLD_SECRET_HOURS,
  isOfTransaction,
  WEBHOOK_KINDS,
  type Webhook,
  type WebhookChange,
  type WebhookCreated,
  type WebhookDelivery,
  type WebhookDeliveryQuery,
  type WebhookInput,
  type WebhookKind,
  type WebhookSecret,
  type WebhookTest,
} from "../../../contract/pos/webhooks.ts";
import { invalidField, Problem } from "../../../contract/problem.ts";
import { recordChange } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { ListTotals } from "../../../db/list-totals.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { HOUR, toTimestamp } from "../../../lib/clock.ts";
import type { Base } from "../../module.ts";
import { listAttempts } from "./attempt-store.ts";
import {
  cancelDeliveries,
  countWaiting,
  createDelivery,
  type Delivery,
  listDeliveries,
  moveDeliveries,
  updateDelivery,
} from "./delivery-store.ts";
import {
  changeEndpoint,
  clearFailures,
  createEndpoint,
  type Endpoint,
  findEndpoint,
  listEndpoints,
  type NewEndpoint,
  removeEndpoint,
  replaceSecret,
} from "./endpoint-store.ts";
import { checkListened } from "./listener-service.ts";
import type { RecordAudit } from "./webhook-dispatcher.ts";
import {
  checkRoom,
  readTargetChange,
  refuseReplaced,
  toDescription,
  toKinds,
  toTarget,
  type WantedEndpoint,
} from "./webhook-input.ts";
import { DELIVER_JOB, toSubject } from "./webhook-outbox.ts";
import {
  createSecret,
  DELIVERY_TIMEOUT_MS,
  isTaken,
  type WebhookSender,
} from "./webhook-sender.ts";
import {
  makeSample,
  SAMPLE_PREFIX,
  toAttemptView,
  toDeliveryView,
  toWebhookView,
} from "./webhook-views.ts";

interface WebhookServiceDeps extends Pick<Base, "db" | "transactor" | "clock" | "ids" | "sealer"> {
  sender: WebhookSender;
  recordAudit: RecordAudit;
}

interface TriggerInput {
  environment: Environment;
  kind: WebhookKind;
  webhookId?: string | undefined;
}

export interface PreparedEndpoint {
  endpoint: NewEndpoint;
  secret: string;
  /** Id of the endpoint that this one replaces. */
  replaces?: string | undefined;
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
    const { accountId } = author;
    const { environment, replaces } = input;
    const description = toDescription(input.description);
    const target = toTarget(input);
    const kinds = toKinds(input);
    const wanted = { accountId, environment, kinds, url: target.url };
    await checkRoom(db, wanted, replaces);
    const fault = await sender.probe(target);
    if (fault) throw invalidField("url", fault);
    const endpoint = {
      ...wanted,
      endpointId: ids.uuid(),
      description,
      headerName: target.header?.name,
      sealedHeaderValue: target.header && sealer.seal(target.header.value),
      sealedSecret: sealer.seal(secret),
      allowPrivate: target.allowPrivate,
      createdAt: clock.now(),
    };
    return { endpoint, secret, replaces };
  }

  /**
   * Prepares a copy for another environment, with a new secret.
   * @throws Problem NOT_FOUND, INVALID_REQUEST naming the field
   */
  async prepareCopy({ environment, ...author }: ScopedAuthor, endpointId: string) {
    const { db, sealer } = this.#deps;
    const endpoint = await getEndpoint(db, author, endpointId);
    const { kinds, url, allowPrivate, headerName, sealedHeaderValue, description } = endpoint;
    const header =
      headerName !== undefined && sealedHeaderValue !== undefined
        ? { headerName, headerValue: sealer.open(sealedHeaderValue) }
        : {};
    const named = description === undefined ? {} : { description };
    const copied = { environment, kinds: [...kinds], url, allowPrivate, ...named, ...header };
    return this.prepare(author, copied);
  }

  /**
   * The replaced endpoint ends in the same transaction. Its pending messages go to the new endpoint
   * if it takes their kinds, so that no purchase passes unverified and no result is lost.
   * @throws Problem INVALID_REQUEST naming the field
   */
  async addIn(tx: Tx, author: Author, { endpoint, replaces }: PreparedEndpoint): Promise<void> {
    const { accountId, staffId } = author;
    await checkRoom(tx, endpoint, replaces);
    const { environment, endpointId: subject, createdAt: at } = endpoint;
    if (replaces !== undefined) {
      const ref = { accountId, environment, endpointId: replaces };
      const replaced = await findEndpoint(tx, ref);
      if (!replaced) throw refuseReplaced(environment, replaces);
      await removeEndpoint(tx, ref, at);
      await this.#note(tx, author, { action: "webhook.remove", endpoint: replaced, at });
    }
    if (!(await createEndpoint(tx, endpoint))) throw invalidField("url", "is registered already");
    if (replaces !== undefined) {
      const replaced = { ...endpoint, endpointId: replaces };
      await moveDeliveries(tx, replaced, endpoint);
      await cancelDeliveries(tx, replaced, WEBHOOK_KINDS);
      await enqueueJob(tx, { kind: DELIVER_JOB, subject: toSubject(endpoint), runAt: at });
    }
    const { allowPrivate } = endpoint;
    const detail = { ...toDetail(endpoint), allowPrivate, ...(replaces && { replaces }) };
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
      await cancelDeliveries(tx, endpoint, WEBHOOK_KINDS);
      return endpoint;
    });
  }

  /**
   * Changes the given fields; a new target after a successful HEAD request. The webhook keeps its
   * id, secret and pending messages, so that no purchase passes unverified. Messages of kinds that
   * it no longer takes are cancelled.
   * @throws Problem NOT_FOUND, INVALID_REQUEST naming the field
   */
  async change(author: Author, endpointId: string, input: WebhookChange): Promise<void> {
    const { db, sealer, sender } = this.#deps;
    const before = await getEndpoint(db, author, endpointId);
    const target = readTargetChange(input, before);
    const fault = target && (await sender.probe(target));
    if (fault) throw invalidField("url", fault);
    await this.#change(author, endpointId, "webhook.change", async (tx, endpoint, at) => {
      const kinds = input.kinds ? toKinds({ kinds: input.kinds }) : endpoint.kinds;
      if (endpoint.listeningUntil !== undefined) checkListened(kinds);
      const { description = endpoint.description } = input;
      const changed = {
        ...endpoint,
        ...(target && {
          url: target.url,
          headerName: target.header?.name,
          sealedHeaderValue: target.header && sealer.seal(target.header.value),
          allowPrivate: target.allowPrivate,
        }),
        kinds,
        description: toDescription(description),
      };
      await checkRoom(tx, changed, endpointId);
      await changeEndpoint(tx, endpoint, changed);
      const dropped = endpoint.kinds.filter((kind) => !kinds.includes(kind));
      if (dropped.length > 0) await cancelDeliveries(tx, endpoint, dropped);
      await retryAtOnce(tx, endpoint, at);
      return changed;
    });
  }

  /**
   * Replaces the secret. For the given time, deliveries are signed with both secrets, so that the
   * receiver can change its secret without refusing a delivery.
   * @throws Problem NOT_FOUND; INVALID_REQUEST if the earlier secret still signs, unless both end
   */
  async rotateSecret(
    author: Author,
    endpointId: string,
    oldSecretHours = DEFAULT_OLD_SECRET_HOURS,
  ): Promise<WebhookSecret> {
    const { clock, ids, sealer } = this.#deps;
    const secret = createSecret(ids);
    const until = clock.now() + oldSecretHours * HOUR;
    await this.#change(author, endpointId, "webhook.secret", async (tx, endpoint, at) => {
      const end = endpoint.oldSecret?.until ?? 0;
      if (end > at && oldSecretHours > 0) {
        const rule = `must be 0, because an earlier secret still signs until ${toTimestamp(end)}`;
        throw invalidField("oldSecretHours", rule);
      }
      await replaceSecret(tx, endpoint, { sealedSecret: sealer.seal(secret), until });
      return endpoint;
    });
    return { secret, ...(oldSecretHours > 0 && { oldSecretUntil: toTimestamp(until) }) };
  }

  /**
   * Ends a pause, and sends pending deliveries at once.
   * @throws Problem NOT_FOUND
   */
  async resume(author: Author, endpointId: string): Promise<void> {
    await this.#change(author, endpointId, "webhook.resume", async (tx, endpoint, at) => {
      await retryAtOnce(tx, endpoint, at);
      return endpoint;
    });
  }

  /**
   * Posts a sample instead of a real transaction, even to a paused endpoint. The outcome neither
   * pauses nor resumes the endpoint.
   * @throws Problem NOT_FOUND; SYSTEM_UNAVAILABLE while the gateway stops
   */
  async test(author: Author, endpointId: string): Promise<WebhookTest> {
    const { db, transactor, clock, ids, sender, recordAudit } = this.#deps;
    const endpoint = await getEndpoint(db, author, endpointId);
    const [kind = "TRANSACTION"] = endpoint.kinds;
    const message = { id: `msg_test_${ids.uuid()}`, kind, body: makeSample(kind), isSample: true };
    const attempt = await sender.post(endpoint, message, DELIVERY_TIMEOUT_MS);
    if (!attempt) throw new Problem("SYSTEM_UNAVAILABLE", "Tillgate is stopping.");
    const { status } = attempt;
    const detail = { ...toDetail(endpoint), ...(status !== undefined && { status }) };
    const entry = { ...author, action: "webhook.test", subject: endpointId, detail } as const;
    await transactor.transact(author.accountId, (tx) =>
      recordAudit(tx, { ...entry, at: clock.now() }),
    );
    return { attempt: toAttemptView(attempt), taken: isTaken(attempt) };
  }

  /**
   * Sends a sample to every webhook of a kind, by the outbox of real messages. The header
   * `webhook-sample` and the ids in its body mark it.
   * @throws Problem INVALID_REQUEST if no webhook takes the kind
   */
  async trigger(
    author: Author,
    { environment, kind, webhookId }: TriggerInput,
  ): Promise<{ deliveryId: string; webhookId: string; url: string }[]> {
    const { transactor, clock, ids, recordAudit } = this.#deps;
    const { accountId } = author;
    const at = clock.now();
    return transactor.transact(accountId, async (tx) => {
      const all = await listEndpoints(tx, { accountId, environment, kind });
      const endpoints = all.filter(({ endpointId }) => endpointId === (webhookId ?? endpointId));
      if (endpoints.length === 0) {
        throw invalidField("kind", `${kind} is sent to no such webhook of ${environment}`);
      }
      const content = {
        kind,
        subject: `${SAMPLE_PREFIX}${ids.uuid()}`,
        body: makeSample(kind),
        at,
      };
      const sent = [];
      for (const endpoint of endpoints) {
        const { endpointId, url } = endpoint;
        const deliveryId = await createDelivery(tx, endpoint, { ...content, nextAttemptAt: at });
        await enqueueJob(tx, { kind: DELIVER_JOB, subject: toSubject(endpoint), runAt: at });
        const detail = { ...toDetail(endpoint), kind, sample: true };
        await recordAudit(tx, {
          ...author,
          action: "webhook.test",
          subject: endpointId,
          detail,
          at,
        });
        sent.push({ deliveryId, webhookId: endpointId, url });
      }
      return sent;
    });
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
      const { accountId, endpointId } = delivery;
      const endpoint = await findEndpoint(tx, { accountId, endpointId });
      if (!endpoint) throw notPossible("its webhook has been removed");
      if (endpoint.pausedAt !== undefined) throw notPossible("its webhook is paused: resume it");
      if (!endpoint.kinds.includes(delivery.kind)) {
        const advice = `its webhook no longer takes ${delivery.kind}: add this kind to the webhook`;
        throw notPossible(advice);
      }
      if (delivery.state === "CANCELLED") throw notPossible("it was cancelled");
      if (delivery.state === "PENDING" && delivery.nextAttemptAt === undefined) {
        throw notPossible("it is being asked now");
      }
      await updateDelivery(tx, delivery, { state: "PENDING", failures: 0, nextAttemptAt: at });
      await enqueueJob(tx, { kind: DELIVER_JOB, subject: toSubject(delivery), runAt: at });
      const { environment, kind, subject } = delivery;
      const about = isOfTransaction(kind) ? { transactionId: subject } : { subject };
      const detail = { environment, kind, ...about };
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

  /** The audit entry shows the endpoint as `work` returns it. */
  async #change(
    author: Author,
    endpointId: string,
    action: AuditAction,
    work: (tx: Tx, endpoint: Endpoint, at: number) => Promise<Endpoint>,
  ): Promise<void> {
    const { transactor, clock } = this.#deps;
    const at = clock.now();
    await transactor.transact(author.accountId, async (tx) => {
      const endpoint = await work(tx, await getEndpoint(tx, author, endpointId), at);
      await this.#note(tx, author, { action, endpoint, at });
    });
  }

  async #note(
    tx: Tx,
    author: Author,
    { action, endpoint, at }: { action: AuditAction; endpoint: Endpoint; at: number },
  ): Promise<void> {
    const subject = endpoint.endpointId;
    const entry = { ...author, action, subject, detail: toDetail(endpoint), at };
    await this.#deps.recordAudit(tx, entry);
    await recordChange(tx, endpoint, { topic: "webhook", subject, at });
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

/** @throws Problem NOT_FOUND */
async function getEndpoint(
  db: Db | Tx,
  { accountId }: Author,
  endpointId: string,
): Promise<Endpoint> {
  const endpoint = await findEndpoint(db, { accountId, endpointId });
  if (endpoint) return endpoint;
  throw new Problem("NOT_FOUND", `There is no webhook ${endpointId}.`);
}

async function retryAtOnce(tx: Tx, endpoint: Endpoint, at: number): Promise<void> {
  await clearFailures(tx, endpoint);
  await enqueueJob(tx, { kind: DELIVER_JOB, subject: toSubject(endpoint), runAt: at });
}

function toDetail({ environment, kinds, url }: WantedEndpoint) {
  return { environment, kind: kinds.join(", "), host: new URL(url).host };
}

function notPossible(why: string): Problem {
  return new Problem("INVALID_REQUEST", `It cannot be sent again: ${why}.`, { deliveryId: why });
}
