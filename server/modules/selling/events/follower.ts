import type { EventName } from "../../../contract/pos/sales.ts";
import type { Scope } from "../../../db/changes.ts";

/** An event and its bytes in a stream, which are the same for everybody who gets it. */
export interface PosEvent {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Made once, however many follow. */
export function createEvent(id: string, event: EventName, data: object = {}): PosEvent {
  return {
    id,
    bytes: Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
  };
}

/** Who follows, and where they sell: training begins and ends within a session. */
export interface FollowingSession extends Scope {
  tokenHash: string;
  training: boolean;
}

/** A till that reads more slowly than events arrive gets one event to look at everything again instead. */
const MOST_WAITING = 100;

/** One stream: the events that it has not sent yet, the newest of each subject. */
export class Follower {
  readonly session: FollowingSession;
  readonly #waiting = new Map<string, PosEvent>();
  #ended = false;
  #wake: () => void = () => {};

  constructor(session: FollowingSession) {
    this.session = session;
  }

  /** @param subject what the event is about: the newest of a subject counts */
  send(subject: string, event: PosEvent): void {
    this.#waiting.delete(subject);
    this.#waiting.set(subject, event);
    if (this.#waiting.size > MOST_WAITING) {
      this.#waiting.clear();
      this.#waiting.set("again", createEvent(event.id, "again"));
    }
    this.#wake();
  }

  /** Ends the stream when every waiting event is sent. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Its events, until it is ended or `signal` aborts. */
  async *events(signal: AbortSignal): AsyncGenerator<PosEvent> {
    const stop = () => this.#wake();
    signal.addEventListener("abort", stop, { once: true });
    try {
      while (!signal.aborted) {
        const [next] = this.#waiting;
        if (next) {
          this.#waiting.delete(next[0]);
          yield next[1];
        } else if (this.#ended) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}
