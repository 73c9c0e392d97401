import { type EventStream, followEvents } from "./event-stream.ts";
import type { Random } from "./simulation/random.ts";
import { nextPoll } from "./until.ts";

export interface Session {
  readonly staffId: string;
  readonly cookie: string;
  readonly shiftId: string;
}

export interface Sale {
  readonly saleId: string;
  readonly saleNumber: number;
  readonly lines: readonly { readonly status: string }[];
  readonly refundDue: number;
  readonly refunded: number;
}

export function isOver({ lines }: Sale): boolean {
  return lines.every(({ status }) => status === "DONE" || status === "FAILED");
}

export function isDone({ lines }: Sale): boolean {
  return lines.every(({ status }) => status === "DONE");
}

interface FollowedShop {
  readonly owner: Session;
  readonly random: Random;
  readonly processes: readonly ({ readonly url: string } | undefined)[];
  get<Body>(path: string): Promise<Body>;
  listSales(): Promise<Sale[]>;
}

export interface SalesFollower {
  readonly delivered: ReadonlySet<string>;
  end(): Promise<void>;
}

/**
 * Follows the event stream of sales at any process. If that process dies, continues at another
 * process after the last event.
 */
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
