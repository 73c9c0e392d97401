import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "../db/database.ts";
import { DAY } from "../lib/clock.ts";
import { type AttackedGateway, startAttackedGateway } from "../testing/attacked-gateway.ts";
import { type Reply, Visitor } from "../testing/visitor.ts";
import { LONG_GUESSES, SHORT_GUESSES } from "./guesses.ts";

/** Simulates a month of guesses, from the network and at a colleague's till, while staff work. */
const DAYS = 30;
const GUESSES = 10_000;
const GUESSES_A_DAY = Math.ceil(GUESSES / DAYS);
const SOURCES = 40;

interface Person {
  staffId: string;
  role: string;
  pin: string;
  till: Visitor;
}

let shop: AttackedGateway;
let owner: Person;
let people: Person[];
beforeAll(async () => {
  shop = await startAttackedGateway();
  const counter = new Visitor(shop.url);
  const setup = { shopName: "Corner Shop", currency: "USD", language: "en", ownerName: "Olga" };
  const { body } = await counter.setUp({ ...setup, ownerPin: "582931" });
  owner = { staffId: body.staff.staffId, role: "owner", pin: "582931", till: counter };
  people = [owner];
  for (const [name, role, pin] of [
    ["Marta", "supervisor", "7391"],
    ["Ana", "clerk", "1408"],
    ["Ben", "clerk", "5064"],
    ["Bea", "clerk", "2711"],
  ] as const) {
    const staffId = await counter.hire({ name, role, pin });
    const person = { staffId, role, pin, till: new Visitor(shop.url) };
    people.push(person);
    expect((await person.till.signIn(person.staffId, pin)).status).toBe(200);
  }
});
afterAll(() => shop.close());

function sourceOf(guess: number): string | undefined {
  return process.platform === "linux" ? `127.0.7.${1 + (guess % SOURCES)}` : undefined;
}

async function countChecked(): Promise<Map<string, number>> {
  const db = openDatabase(shop.dataDir);
  const rows = await db
    .selectFrom("audit_trail")
    .select(["subject", "detail_json"])
    .where("action", "=", "staff.pin-wrong")
    .execute();
  await db.destroy();
  const counts = new Map<string, number>();
  for (const { subject, detail_json } of rows) {
    const key = `${subject} ${JSON.parse(detail_json).device}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

it("a month of guesses opens no session and does not lock any person's own till", async () => {
  const clerk = people.at(-1)!;
  const opened: string[] = [];
  let posted = 0;
  let daysNotified = 0;
  const tried = new Map<string, number>();
  const locks = new Map<string, string>();

  function nextGuess({ staffId, role }: Person): string {
    const list = role === "owner" ? LONG_GUESSES : SHORT_GUESSES;
    const at = tried.get(staffId) ?? 0;
    return list[at % list.length] ?? "";
  }

  /** Records a response. Advances to the next PIN if the gateway has compared this one. */
  function note({ staffId }: Person, pin: string, { status, body }: Reply): void {
    posted += 1;
    if (status === 200) opened.push(`${staffId} by ${pin}`);
    // The guess that causes a lock is compared, and its response contains the lock. Later guesses
    // get the same lock without a comparison.
    const { lockedUntil } = body.fields ?? {};
    const isLater = lockedUntil !== undefined && lockedUntil !== locks.get(staffId);
    if (isLater) locks.set(staffId, lockedUntil);
    if (body.errorCode !== "PIN_WRONG" && !isLater) return;
    tried.set(staffId, (tried.get(staffId) ?? 0) + 1);
  }

  for (let day = 0; day < DAYS; day++) {
    // Guesses at night must not lock a person out of their own till.
    for (const { till, staffId, pin, role } of people) {
      const { status, body } = await till.signIn(staffId, pin);
      expect([day, role, status, body.errorCode]).toEqual([day, role, 200, undefined]);
      if (role === "owner" && body.notices?.wrongPinsOf) daysNotified += 1;
    }
    for (let n = 0; n < GUESSES_A_DAY; n++) {
      const victim = people[posted % (people.length - 1)]!;
      const pin = nextGuess(victim);
      if (n % 3 > 0) {
        // A visitor with changing addresses, with and without an invented cookie.
        const stranger = new Visitor(shop.url, sourceOf(posted));
        if (n % 2 === 0) stranger.cookies.set("tillgate_device", "made-up");
        note(victim, pin, await stranger.signIn(victim.staffId, pin));
      } else {
        const asked = { approvalId: randomUUID(), staffId: victim.staffId, pin, subject: "s" };
        const approval = {
          ...asked,
          rights: [{ right: "reprint" }],
          requestDigest: "0".repeat(64),
        };
        let answer = await clerk.till.pos("POST", "/approvals", approval);
        if (answer.body.errorCode === "NOT_SIGNED_IN") {
          expect((await clerk.till.signIn(clerk.staffId, clerk.pin)).status).toBe(200);
          answer = await clerk.till.pos("POST", "/approvals", approval);
        }
        note(victim, pin, answer);
      }
      await shop.advance(Math.floor(DAY / GUESSES_A_DAY));
    }
  }
  expect(posted).toBeGreaterThanOrEqual(GUESSES);
  expect(opened).toEqual([]);
  const checked = await countChecked();
  for (const person of people) {
    // Unknown devices had at most the limit of guesses per name, and known devices had none.
    expect(checked.get(`${person.staffId} new`) ?? 0).toBeLessThanOrEqual(60);
    expect(checked.get(`${person.staffId} used`) ?? 0).toBe(0);
  }
  expect(tried.get(owner.staffId)).toBeGreaterThan(20);
  expect(daysNotified).toBeGreaterThan(0);
});

it("guesses at an owner's own till do not lock the owner out", async () => {
  const { staffId, pin, till } = owner;
  for (let day = 0; day < 3; day++) {
    for (let n = 0; n < 60; n++) {
      await till.signIn(staffId, LONG_GUESSES[day * 60 + n] ?? "");
      await shop.advance(DAY / 60);
    }
    await shop.advance(DAY / 24);
    expect((await till.signIn(staffId, pin)).status).toBe(200);
  }
});
