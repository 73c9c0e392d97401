import { createHmac } from "node:crypto";
import type { WebhookKind } from "../../../contract/pos/webhooks.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import {
  OutgoingError,
  type OutgoingRequest,
  type SendOutgoing,
} from "../../../lib/guarded-request.ts";
import type { Ids } from "../../../lib/ids.ts";
import { SealError } from "../../../lib/sealer.ts";
import type { Base } from "../../module.ts";
import type { Endpoint } from "./endpoint-store.ts";

const SECRET_BYTES = 32;
const SECRET_PREFIX = "whsec_";

/** Creates a secret in the format of Standard Webhooks: `whsec_` and base64. */
export function createSecret(ids: Ids): string {
  const bytes = Buffer.from(ids.secret(SECRET_BYTES), "base64url");
  return SECRET_PREFIX + bytes.toString("base64");
}

/**
 * Standard Webhooks: HMAC-SHA256 of `id.timestamp.body` with each valid secret. All attempts of a
 * delivery have the same id, but different times.
 */
function signatureHeaders(
  secrets: readonly string[],
  message: { id: string; body: string; at: number },
): Record<string, string> {
  const timestamp_s = Math.floor(message.at / SECOND);
  const signed = `${message.id}.${timestamp_s}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  });
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(timestamp_s),
    "webhook-signature": signatures.join(" "),
  };
}

export interface Message {
  id: string;
  kind: WebhookKind;
  /** Undefined if the encryption key is missing. */
  body: string | undefined;
  isSample?: boolean;
}

export interface Attempt {
  beganAt: number;
  endedAt: number;
  /** If the response was incomplete, `error` is also present. */
  status: number | undefined;
  answer: string | undefined;
  error: string | undefined;
}

export interface Target {
  url: string;
  header: { name: string; value: string } | undefined;
  allowPrivate: boolean;
}

/** Timeout of an attempt (rules#webhook-schedule). */
export const DELIVERY_TIMEOUT_MS = 10 * SECOND;

const LIMITS = { keep_bytes: 1024, read_bytes: 64 * 1024 };

interface WebhookSenderDeps extends Pick<Base, "clock" | "log" | "sealer"> {
  /** Clock of signatures and timeouts: receivers do not follow a sandbox's clock. */
  machineClock: Clock;
  send: SendOutgoing;
}

export class WebhookSender {
  readonly #deps: WebhookSenderDeps;
  readonly #underWay = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(deps: WebhookSenderDeps) {
    this.#deps = deps;
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  /** Runs the work in the background, so that no caller waits for another server. */
  run(work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) =>
        this.#deps.log.error({ err: error }, "an unexpected error while sending a webhook"),
      )
      .finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  /** Aborts the work, which the next start repeats. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#underWay);
  }

  async post(
    endpoint: Endpoint,
    { id, kind, body: text, isSample = false }: Message,
    timeout_ms: number,
  ): Promise<Attempt | undefined> {
    const { clock, machineClock, sealer } = this.#deps;
    const beganAt = clock.now();
    const ended = (result: Partial<Attempt>): Attempt => ({
      status: undefined,
      answer: undefined,
      error: undefined,
      ...result,
      beganAt,
      endedAt: clock.now(),
    });
    try {
      const { headerName, sealedHeaderValue, sealedSecret, oldSecret } = endpoint;
      const secrets = [sealer.open(sealedSecret)];
      if (oldSecret && beganAt < oldSecret.until) secrets.push(sealer.open(oldSecret.sealed));
      if (text === undefined) {
        throw new SealError("The encryption key of its body is missing.");
      }
      const message = { id, body: text };
      const headers = {
        ...(headerName !== undefined &&
          sealedHeaderValue !== undefined && { [headerName]: sealer.open(sealedHeaderValue) }),
        "content-type": "application/json",
        "webhook-kind": kind,
        ...(isSample && { "webhook-sample": "true" }),
        ...signatureHeaders(secrets, { ...message, at: machineClock.now() }),
      };
      const { status, body, fault } = await this.#send({
        method: "POST",
        url: endpoint.url,
        headers,
        body: message.body,
        allowPrivate: endpoint.allowPrivate,
        privateOnly: endpoint.listeningUntil !== undefined,
        timeout_ms,
      });
      if (fault && this.#stop.signal.aborted) return undefined;
      const answer = body.toString("utf8").replaceAll("\0", "\uFFFD");
      return ended({ status, answer, ...(fault && { error: describeBreak(fault, timeout_ms) }) });
    } catch (error) {
      if (this.#stop.signal.aborted) return undefined;
      return ended({ error: error instanceof Error ? error.message : String(error) });
    }
  }

  /**
   * Returns the reason why the target cannot be registered; undefined if the target answers HEAD
   * with 2xx, or refuses HEAD as a method.
   */
  async probe({ url, header, allowPrivate }: Target): Promise<string | undefined> {
    try {
      const headers = header ? { [header.name]: header.value } : {};
      const timeout_ms = DELIVERY_TIMEOUT_MS;
      const { status, headers: answered } = await this.#send({
        method: "HEAD",
        url,
        headers,
        allowPrivate,
        timeout_ms,
      });
      if (isSuccess(status) || takesOnlyPost(status, answered.allow)) return undefined;
      return `answered ${status} to a HEAD, not 2xx`;
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      if (error.kind !== "address") return `did not answer a HEAD: ${error.message}`;
      const remedy = error.message.includes("private network") ? ` ${ALLOW_PRIVATE}` : "";
      return `is not called: ${error.message}${remedy}`;
    }
  }

  #send(request: Omit<OutgoingRequest, "keep_bytes" | "read_bytes">) {
    const { send, machineClock } = this.#deps;
    return send({ ...request, ...LIMITS, signal: this.#stop.signal }, machineClock);
  }
}

/** Remedy for a refused address. */
const ALLOW_PRIVATE =
  "The owner may allow private addresses: --allow-private, for a sandbox when it is created.";

/** A list of allowed methods, if present, must contain POST. */
function takesOnlyPost(status: number, allow: string | string[] | undefined): boolean {
  if (status !== 405 && status !== 501) return false;
  const methods = String(allow ?? "").trim();
  return methods === "" || /\bPOST\b/i.test(methods);
}

/** An incomplete 2xx response confirms nothing. */
export function isTaken({ status, error }: Attempt): boolean {
  return isSuccess(status) && error === undefined;
}

function describeBreak({ kind }: OutgoingError, timeout_ms: number): string {
  if (kind !== "timeout") return "Its answer broke off.";
  return `Its answer did not end within ${timeout_ms / SECOND} s.`;
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}
