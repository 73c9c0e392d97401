import { type EventStream, followEvents } from "./event-stream.ts";
import type { Random } from "./simulation/random.ts";
import { nextPoll } from "./until.ts";

/** A signed-in person with their open shift. */
export interface Session {
  readonly staffId: string;
  readonly cookie: string;
  readonly shiftId: string;
}

/** The fields of a sale that the tests read. */
export interface Sale {
  readonly saleId: string;
  readonly saleNumber: number;
  readonly lines: readonly { readonly status: string }[];
  readonly refundDue: number;
  readonly refunded: number;
}

/** Returns whether every line is final. */
export function isOver({ lines }: Sale): boolean {
  return lines.every(({ status }) => status === "DONE" || status === "FAILED");
}

/** Returns whether every line was delivered. */
export function isDone({ lines }: Sale): boolean {
  return lines.every(({ status }) => status === "DONE");
}

/** Requests of a till, which any process may answer. */
interface FollowedShop {
  readonly owner: Session;
  readonly random: Random;
  readonly processes: readonly ({ readonly url: string } | undefined)[];
  get<Body>(path: string): Promise<Body>;
  listSales(): Promise<Sale[]>;
}

export interface SalesFollower {
  /** Sales that it has seen delivered. */
  readonly delivered: ReadonlySet<string>;
  /** Resolves when it has stopped. */
  end(): Promise<void>;
}

/** Follows at any process, and at another one if that dies, from the last received event. */
export function followSales(shop: FollowedShop): SalesFollower {
  const delivered = new Set<string>();
  let last: string | undefined;
  let isOver = false;
  let stream: EventStream | undefined;

  function keep(sale: Sale): void {
    if (isDone(sale)) delivered.add(sale.saleId);
  }

  async function readOn(url: string): Promise<void> {
    const from = last === undefined ? undefined : { "last-event-id": last };
    stream = await followEvents(url, shop.owner.cookie, from);
    if (!stream.response.ok) return;
    for await (const { id, event, data } of stream.all()) {
      if (isOver) return;
      if (event === "sale") keep(await shop.get<Sale>(`/pos/sales/${data.saleId}`));
      if (event === "again") for (const sale of await shop.listSales()) keep(sale);
      last = id;
    }
  }

  async function follow(): Promise<void> {
    while (!isOver) {
      const url = shop.random.pick(shop.processes)?.url;
      // If the process has died, the till continues at another.
      if (url !== undefined) await readOn(url).catch(() => undefined);
      await nextPoll();
    }
  }

  const following = follow();
  return {
    delivered,
    async end() {
      isOver = true;
      await stream?.leave();
      await following;
    },
  };
}
