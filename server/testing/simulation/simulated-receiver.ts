import { createHash } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import {
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingRequest,
} from "../../lib/guarded-request.ts";
import type { Random } from "./random.ts";

interface Received {
  bodies: Set<string>;
  /** True if the receiver has confirmed the message at least once. */
  taken: boolean;
}

/**
 * Receiver of the shop's webhooks, which fails, times out, and loses responses. Its verifier
 * permits most transactions.
 */
export class SimulatedReceiver {
  readonly #random: Random;
  readonly messages = new Map<string, Received>();
  /** Set to true to end all failures. */
  healthy = false;

  constructor(random: Random) {
    this.#random = random;
  }

  async answer(request: OutgoingRequest, clock: Clock): Promise<OutgoingAnswer> {
    if (request.method === "HEAD") return toAnswer(200);
    const id = request.headers?.["webhook-id"] ?? "";
    const body = request.body ?? "";
    const message = this.messages.get(id) ?? { bodies: new Set(), taken: false };
    this.messages.set(id, message);
    message.bodies.add(createHash("sha256").update(body).digest("hex"));
    const isQuestion = request.url.includes("verify");
    const fault = this.#fault(isQuestion);
    if (fault === "silent") return silence(request, clock);
    if (fault === "reset") throw new OutgoingError("connection", "connection reset");
    if (fault === "error") return toAnswer(500);
    if (fault === "no") return toAnswer(404);
    message.taken = true;
    if (fault === "answerLost") throw new OutgoingError("connection", "connection reset");
    return toAnswer(200);
  }

  #fault(isQuestion: boolean): string {
    if (this.healthy) return "none";
    return isQuestion
      ? this.#random.weighted({ none: 8, no: 1, silent: 1, error: 1 })
      : this.#random.weighted({ none: 5, silent: 1, reset: 1, error: 2, answerLost: 1 });
  }
}

function silence(request: OutgoingRequest, clock: Clock): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(new OutgoingError("timeout", "no answer"));
    const cancel = clock.wakeAt(clock.now() + request.timeout_ms, fail);
    request.signal?.addEventListener(
      "abort",
      () => {
        cancel();
        reject(new OutgoingError("aborted", "aborted"));
      },
      { once: true },
    );
  });
}

function toAnswer(status: number): OutgoingAnswer {
  return { status, headers: {}, body: Buffer.alloc(0), complete: true };
}
