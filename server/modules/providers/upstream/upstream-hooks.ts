import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { Input, TransactionId } from "../../../contract/common.ts";
import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import type { UpstreamHook } from "../../../contract/pos/upstream.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type App, answers } from "../../../http/app-types.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { type Clock, MINUTE, SECOND } from "../../../lib/clock.ts";
import { whyNotUrl } from "../../../lib/guarded-request.ts";
import type { Ids } from "../../../lib/ids.ts";
import type { Sealer } from "../../../lib/sealer.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { subjectOf } from "../../books/transactions/index.ts";
import { ADVANCE_JOB, findPurchases } from "../../purchases/purchases/index.ts";
import { notConnected } from "./connection-rules.ts";
import {
  findHook,
  findUpstream,
  noteUpstream,
  type ProviderRef,
  resolveProvider,
} from "./upstream-store.ts";

/** Maximum time difference in either direction (Standard Webhooks). */
const TOLERANCE_MS = 5 * MINUTE;
const TOKEN_BYTES = 32;
/** Prefix of signing secrets; placeholder secrets made by this program lack it. */
export const HOOK_SECRET_PREFIX = "whsec_";
const SECRET = /^whsec_[A-Za-z0-9+/]{24,512}={0,2}$/;

export interface SignedMessage {
  id: string;
  /** Seconds since 1970, as received. */
  timestamp: string;
  /** `v1,BASE64`; several signatures are separated by spaces. */
  signature: string;
  body: string;
}

interface UpstreamHooksDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  ids: Ids;
  sealer: Sealer;
}

/**
 * Receives the provider's webhooks. A message only triggers a status inquiry for the named
 * purchase; its other content is ignored.
 */
export class UpstreamHooks {
  readonly #deps: UpstreamHooksDeps;

  constructor(deps: UpstreamHooksDeps) {
    this.#deps = deps;
  }

  /**
   * Replaces the webhook address. The new address accepts no messages until the owner enters the
   * signing secret (rules#upstream-webhook-address).
   * @param typed base address under which the provider reaches this gateway; undefined keeps the
   * stored address
   * @throws Problem NOT_FOUND without a connected provider, INVALID_REQUEST naming `baseUrl`
   */
  async open(
    author: ScopedAuthor,
    typed?: string,
    providerId?: string,
  ): Promise<Static<typeof UpstreamHook>> {
    const { db, ids } = this.#deps;
    const ref = await resolveProvider(db, author, providerId);
    const baseUrl =
      typed === undefined ? (await findUpstream(db, ref))?.hookBaseUrl : readBaseUrl(typed);
    const token = ids.secret(TOKEN_BYTES);
    await this.#save({ ...ref, staffId: author.staffId }, "upstream.hook", {
      hook_token_hash: hashToken(token),
      hook_secret_sealed: this.#deps.sealer.seal(ids.secret(TOKEN_BYTES)),
      ...(baseUrl !== undefined && { hook_base_url: baseUrl }),
    });
    const path = `/hooks/upstream/${token}`;
    return { path, ...(baseUrl !== undefined && { url: baseUrl + path }) };
  }

  /** @throws Problem INVALID_REQUEST, NOT_FOUND without an address */
  async setSecret(author: ScopedAuthor, secret: string, providerId?: string): Promise<void> {
    const rule = "must begin with whsec_, as the gateway shows it";
    if (!SECRET.test(secret)) {
      throw new Problem("INVALID_REQUEST", `The secret ${rule}.`, { secret: rule });
    }
    const ref = await resolveProvider(this.#deps.db, author, providerId);
    const stored = await findUpstream(this.#deps.db, ref);
    if (stored?.hookSecretSealed === undefined) {
      throw new Problem("NOT_FOUND", "There is no address for webhooks yet: make it first.");
    }
    const sealed = this.#deps.sealer.seal(secret);
    const saver = { ...ref, staffId: author.staffId };
    await this.#save(saver, "upstream.hook-secret", { hook_secret_sealed: sealed });
  }

  /** @throws Problem NOT_FOUND for an address that is not in use */
  async check(token: string): Promise<ProviderRef & { secretSealed: string }> {
    const hook = await findHook(this.#deps.db, hashToken(token));
    if (!hook) throw new Problem("NOT_FOUND", "There is nothing here.");
    return hook;
  }

  /**
   * @throws Problem NOT_FOUND, NOT_AUTHORIZED for a message without a valid signature or with an
   * old time
   */
  async receive(token: string, message: SignedMessage): Promise<void> {
    const { db, transactor, clock, sealer } = this.#deps;
    const hook = await this.check(token);
    const now = clock.now();
    if (!isSigned(sealer.open(hook.secretSealed), message, now)) {
      throw new Problem("NOT_AUTHORIZED", "The signature is not valid.");
    }
    const transactionId = transactionIdIn(message.body);
    if (transactionId === undefined) return;
    const [purchase] = await findPurchases(db, hook, [transactionId]);
    const asked = purchase?.attemptState === "SENT" || purchase?.attemptState === "WORKING";
    const isOfIt = (purchase?.supply?.providerId ?? FIRST_PROVIDER) === hook.providerId;
    if (!asked || !isOfIt || purchase.transaction.finishedAt !== undefined) return;
    const subject = subjectOf(purchase.transaction);
    await transactor.transact(hook.accountId, (tx) =>
      enqueueJob(tx, { kind: ADVANCE_JOB, subject, runAt: now }),
    );
  }

  async #save(
    { accountId, environment, providerId, staffId }: ScopedAuthor & ProviderRef,
    action: AuditAction,
    note: Parameters<typeof noteUpstream>[2],
  ): Promise<void> {
    const { transactor, clock } = this.#deps;
    const at = clock.now();
    await transactor.transact(accountId, async (tx) => {
      const ref = { accountId, environment, providerId };
      const stored = await findUpstream(tx, ref);
      if (stored?.keySealed === undefined) throw notConnected();
      await noteUpstream(tx, ref, note, at);
      await recordAudit(tx, { accountId, staffId, action, subject: environment, at });
    });
  }
}

/**
 * Returns the URL without a trailing slash and without a query.
 * @throws Problem INVALID_REQUEST naming `baseUrl`
 */
function readBaseUrl(typed: string): string {
  const fault = whyNotUrl(typed.trim());
  const url = fault === undefined ? new URL(typed.trim()) : undefined;
  const rule = fault ?? (url?.search === "" ? undefined : "must not have a part after ?");
  if (url && rule === undefined) return url.href.replace(/\/+$/, "");
  throw new Problem("INVALID_REQUEST", `That is no address: it ${rule}.`, {
    baseUrl: rule ?? "is not a URL",
  });
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Checks the HMAC-SHA256 of `id.timestamp.body` (Standard Webhooks). */
function isSigned(secret: string, message: SignedMessage, now: number): boolean {
  const { id, timestamp, signature, body } = message;
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Number(timestamp) * SECOND - now) > TOLERANCE_MS) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
  return signature.split(" ").some((entry) => {
    const [version, text = ""] = entry.split(",");
    const given = Buffer.from(text, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function transactionIdIn(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    const id = (parsed as { transactionId?: unknown } | null)?.transactionId;
    return Value.Check(TransactionId, id) ? id : undefined;
  } catch {
    return undefined;
  }
}

const params = Input({ token: Type.String({ minLength: 1, maxLength: 128 }) });
const Nothing = Type.Object({});

export function registerHookRoutes(app: App, hooks: UpstreamHooks): void {
  // Receives the body as raw bytes, because the signature covers these bytes.
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    async (_request: unknown, body: unknown) => body,
  );

  // Some gateways check that the address responds before they use it.
  app.head(
    "/upstream/:token",
    { schema: { hide: true, params, response: answers(Nothing) } },
    async (request) => {
      await hooks.check(request.params.token);
      return {};
    },
  );

  app.post(
    "/upstream/:token",
    { schema: { hide: true, params, response: answers(Nothing) } },
    async (request) => {
      const header = (name: string) => String(request.headers[name] ?? "");
      await hooks.receive(request.params.token, {
        id: header("webhook-id"),
        timestamp: header("webhook-timestamp"),
        signature: header("webhook-signature"),
        body: String(request.body),
      });
      return {};
    },
  );
}
