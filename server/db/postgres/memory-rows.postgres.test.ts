import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MINUTE, SECOND } from "../../lib/clock.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import { createTestDatabase } from "../../testing/postgres-database.ts";
import { startPostgresProxy } from "../../testing/postgres-proxy.ts";
import { getConnections } from "../connections.ts";
import type { Db } from "../database.ts";
import { migrations } from "../migrations/index.ts";
import { OwnMemory, type SharedMemory } from "../shared-memory.ts";
import { prepareSchema } from "./create-schema.ts";
import { openPostgresDatabase } from "./open-database.ts";

const SEALER = {
  seal: (text: string) => Buffer.from(text).toString("base64"),
  open: (sealed: string) => Buffer.from(sealed, "base64").toString(),
};
const clock = new FakeClock();
let address: string;
const databases: Db[] = [];
let here: SharedMemory;
let there: SharedMemory;

async function openMemory(at = address): Promise<SharedMemory> {
  const db = await openPostgresDatabase(at);
  databases.push(db);
  getConnections(db).keepSealed(SEALER);
  return getConnections(db).shareMemory!(clock);
}

beforeAll(async () => {
  address = await createTestDatabase();
  const db = await openPostgresDatabase(address);
  databases.push(db);
  await prepareSchema(db, migrations, { at: 0 });
  here = await openMemory();
  there = await openMemory();
});
afterAll(async () => {
  for (const db of databases) await db.destroy();
});

interface Sum {
  sum: number;
}
const addOne = (before: Sum | undefined) => ({ sum: (before?.sum ?? 0) + 1 });

describe.each(["in rows", "of one process"])("shared memory %s", (kind) => {
  let one: SharedMemory;
  let other: SharedMemory;
  beforeAll(() => {
    const own = new OwnMemory(clock);
    [one, other] = kind === "in rows" ? [here, there] : [own, own];
  });

  it("loses no concurrent change", async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        (n % 2 ? one : other).change("sums", "at-once", addOne, MINUTE),
      ),
    );
    expect(await one.read("sums", "at-once")).toEqual({ sum: 60 });
    expect(await other.list("sums")).toContainEqual({ name: "at-once", value: { sum: 60 } });
  });

  it("counts all concurrent calls, and restarts at zero when the count expires", async () => {
    const counts = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        (n % 2 ? one : other).count("guesses", ["b"], 1, MINUTE),
      ),
    );
    expect(counts.flat().toSorted((a, b) => a - b)).toEqual(counts.map((_, n) => n + 1));
    expect(await one.count("guesses", ["a", "b"], -1, MINUTE)).toEqual([0, 39]);
    clock.set(clock.now() + MINUTE - 1);
    expect(await other.count("guesses", ["b"], 1, MINUTE)).toEqual([40]);
    clock.set(clock.now() + 1);
    expect(await one.count("guesses", ["b"], 1, MINUTE)).toEqual([1]);
    // Setting the clock back does not extend a value's lifetime.
    clock.set(clock.now() - 2 * MINUTE);
    expect(await other.count("guesses", ["b"], 1, MINUTE)).toEqual([1]);
  });

  it("deletes expired and removed values, and does not extend unchanged values", async () => {
    await one.change("sums", "short", addOne, SECOND);
    expect(await other.read("sums", "short")).toEqual({ sum: 1 });
    clock.set(clock.now() + SECOND);
    expect(await other.read("sums", "short")).toBeUndefined();
    expect(await other.change("sums", "short", addOne, SECOND)).toEqual({ sum: 1 });
    // An unchanged value keeps its expiry time.
    clock.set(clock.now() + SECOND - 1);
    await one.change<Sum>("sums", "short", (before) => before, MINUTE);
    clock.set(clock.now() + 1);
    expect(await one.read("sums", "short")).toBeUndefined();
    await one.change("sums", "out", addOne, MINUTE);
    await other.change<Sum>("sums", "out", () => undefined, MINUTE);
    expect(await one.read("sums", "out")).toBeUndefined();
  });

  it("keeps the old value if a step throws, and rethrows the error", async () => {
    await one.change("sums", "kept", addOne, MINUTE);
    const refuse = () => {
      throw new Error("not so");
    };
    await expect(other.change("sums", "kept", refuse, MINUTE)).rejects.toThrow("not so");
    expect(await one.read("sums", "kept")).toEqual({ sum: 1 });
  });

  it("notifies all listeners of a topic when any process changes a value", async () => {
    const heard: (string | undefined)[] = [];
    for (const memory of new Set([one, other])) {
      memory.onChange("told", (name) => heard.push(name));
    }
    await one.change("told", "a", addOne, MINUTE);
    await other.change("told", "b", addOne, MINUTE);
    await one.change("sums", "untold", addOne, MINUTE);
    const expected = one === other ? ["a", "b"] : ["a", "a", "b", "b"];
    await expect
      .poll(() => [...heard].sort((a = "", b = "") => a.localeCompare(b)))
      .toEqual(expected);
  });
});

describe("shared memory in rows", () => {
  it("stores encrypted values", async () => {
    await here.change("sums", "secret", () => ({ number: "+50251234567" }), MINUTE);
    const { rows } = await sql<{ content: string }>`
      select content from shared_memory where name = 'secret'`.execute(databases[0]!);
    expect(rows[0]?.content).not.toContain("50251234567");
    expect(SEALER.open(rows[0]!.content)).toContain("50251234567");
  });

  it("reports that any value may have changed after it missed notices", async () => {
    const proxy = await startPostgresProxy(address);
    const behind = await openMemory(proxy.address);
    const heard: (string | undefined)[] = [];
    behind.onChange("told", (name) => heard.push(name));
    proxy.swallowNotices();
    const lost = proxy.countNoticeConnections();
    await here.change("told", "unheard", addOne, MINUTE);
    // The process detects that no notices arrive, and reconnects.
    await expect.poll(() => proxy.countNoticeConnections()).toBeGreaterThan(lost);
    expect(heard).toEqual([]);
    proxy.letThrough();
    await expect.poll(() => heard).toEqual([undefined]);
    await databases.pop()!.destroy();
    await proxy.close();
  });
});
