import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "../db/database.ts";
import { DAY } from "../lib/clock.ts";
import { type AttackedGateway, startAttackedGateway } from "../testing/attacked-gateway.ts";
import { type Reply, Visitor } from "../testing/visitor.ts";

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

/** PINs in the order in which an attacker tries them, most likely first. */

const POPULAR =
  "1234 1111 0000 1212 7777 1004 2000 4444 2222 6969 9999 3333 5555 6666 1122 1313 8888 4321 2001 1010 2580";

function days(write: (day: string, month: string) => string): string[] {
  return Array.from({ length: 12 * 31 }, (_, n) => {
    const day = String((n % 31) + 1).padStart(2, "0");
    const month = String(Math.floor(n / 31) + 1).padStart(2, "0");
    return write(day, month);
  });
}

function numbers(digits: number): string[] {
  return Array.from({ length: 10_000 }, (_, n) => String(n).padStart(4, "0").padEnd(digits, "0"));
}

function distinct(pins: string[]): string[] {
  return [...new Set(pins)];
}

/** Guesses for staff, whose PINs may have four digits. */
const SHORT_GUESSES = distinct([
  ...POPULAR.split(" "),
  ...Array.from({ length: 80 }, (_, n) => String(1950 + n)),
  ...days((day, month) => day + month),
  ...days((day, month) => month + day),
  ...numbers(4),
]);

/** Guesses for owners, whose PINs have six digits. */
const LONG_GUESSES = distinct([
  ..."123456 654321 111111 000000 121212 112233 123123 666666 159753 147258 101010".split(" "),
  ...Array.from({ length: 50 }, (_, n) => String(1960 + n).slice(2)).flatMap((year) =>
    days((day, month) => day + month + year).slice(0, 31),
  ),
  ...numbers(6),
]);
