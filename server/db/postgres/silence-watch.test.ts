import { PassThrough } from "node:stream";
import { beforeEach, describe, expect, it } from "vitest";
import { SECOND } from "../../lib/clock.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import { type FindBusy, LOOK_INTERVAL_MS, SilenceWatch } from "./silence-watch.ts";

let clock: FakeClock;
/** The server's responses, one per check; the last one repeats. */
let says: Awaited<ReturnType<FindBusy>>[];
let asked: (readonly number[])[];
let watch: SilenceWatch;

beforeEach(() => {
  clock = new FakeClock();
  asked = [];
  watch = new SilenceWatch({
    lookInterval_ms: LOOK_INTERVAL_MS,
    clock,
    async findBusy(backends) {
      asked.push(backends);
      return says.length > 1 ? says.shift() : says[0];
    },
  });
});

/** Waits for a response on a connection that fails when it is closed, like a connection of pg. */
function wait(backend: number) {
  const stream = new PassThrough();
  const answer = Promise.withResolvers<string>();
  stream.on("close", () => answer.reject(new Error("Connection terminated unexpectedly")));
  const client = { connection: { stream } } as never;
  const isOver = watch.during(client, backend, () => answer.promise).catch(String);
  return { client, stream, answer, isOver };
}

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    clock.set(clock.now() + SECOND);
    await new Promise(setImmediate);
  }
}

describe("statement without a response", () => {
  it("continues as long as the server works on the statement", async () => {
    says = [new Set([7])];
    const long = wait(7);
    await pass(3600);
    expect(long.stream.destroyed).toBe(false);
    long.answer.resolve("done");
    expect(await long.isOver).toBe("done");
  });

  it("loses its connection when the server reports twice that it does not run the statement", async () => {
    says = [new Set([7]), new Set(), new Set([7]), new Set()];
    const lost = wait(7);
    const other = wait(8);
    await pass(11);
    expect([lost.stream.destroyed, other.stream.destroyed]).toEqual([false, true]);
    await pass(3);
    expect(lost.stream.destroyed).toBe(true);
    expect(await lost.isOver).toContain("Connection terminated");
    expect(asked.slice(0, 3)).toEqual([[7, 8], [7, 8], [7]]);
  });

  it("loses its connection when the server does not respond at all for ten seconds", async () => {
    says = ["away", "away", new Set([7]), "away"];
    const lost = wait(7);
    await pass(21);
    expect(lost.stream.destroyed).toBe(false);
    await pass(1);
    expect(lost.stream.destroyed).toBe(true);
  });

  it("marks older connections as possibly lost until they receive data", async () => {
    says = [new Set()];
    const [quiet, used, fresh] = [wait(5), wait(6), wait(7)];
    for (const { answer } of [quiet, used]) answer.resolve("done");
    await pass(11);
    expect([quiet, used, fresh].map(({ client }) => watch.isDoubtful(client))).toEqual([
      true,
      true,
      false,
    ]);
    await watch.during(used.client, 6, async () => {});
    expect([quiet, used].map(({ client }) => watch.isDoubtful(client))).toEqual([true, false]);
  });

  it("keeps its connection while the server runs but cannot be queried", async () => {
    says = [undefined];
    const waiting = wait(7);
    await pass(100);
    expect(waiting.stream.destroyed).toBe(false);
  });

  it("causes no query to the server in its first ten seconds, or after its response", async () => {
    says = [new Set()];
    const short = wait(7);
    await pass(9);
    short.answer.resolve("done");
    await short.isOver;
    await pass(20);
    expect(asked).toEqual([]);
    expect(clock.nextTimer()).toBeUndefined();
  });
});
