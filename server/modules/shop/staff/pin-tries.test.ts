import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import { DAY, HOUR, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";
import { PinHasher } from "./pin-hasher.ts";

const PIN = "1739";
let till: TestGateway;
let owner: TestTill;
let ana: string;
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
  ana = await hire("Ana");
});
afterEach(() => till.close());

async function hire(name: string): Promise<string> {
  return (await owner.pos("POST", "/staff", { name, role: "clerk", pin: PIN })).body.staffId;
}

function signIn(staffId: string, pin: string, cookie = ""): Promise<Answer> {
  return till.call("POST", "/pos/session", { body: { staffId, pin }, headers: { cookie } });
}

async function signInDevice(staffId: string, pin: string, cookie = ""): Promise<string> {
  const answer = await signIn(staffId, pin, cookie);
  expect(answer.status).toBe(200);
  return findDeviceCookie(answer) ?? cookie;
}

function findDeviceCookie(answer: Answer): string | undefined {
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith("tillgate_device="));
  return cookie?.split(";", 1)[0];
}

/**
 * Guesses for some days, and waits for the end of each lock.
 * @returns the number of checked guesses
 */
async function guessFor(days: number, guess: () => Promise<Answer>): Promise<number> {
  const end = till.clock.now() + days * DAY;
  let checked = 0;
  while (till.clock.now() < end) {
    const { status, body } = await guess();
    expect(status).not.toBe(200);
    if (body.errorCode === "PIN_WRONG") checked += 1;
    const { lockedUntil } = body.fields;
    if (lockedUntil === undefined) continue;
    // The guess that caused the lock was also checked.
    const again = await guess();
    if (again.body.fields.lockedUntil === lockedUntil) checked += 1;
    till.clock.set(Math.max(Date.parse(lockedUntil), till.clock.now() + 1));
  }
  return checked;
}

function trail(action: AuditAction) {
  const { db } = till.gateway.context;
  return db.selectFrom("audit_trail").selectAll().where("action", "=", action).execute();
}

describe("wrong PINs", () => {
  it("count over a whole day, despite right PINs in between", async () => {
    const device = await signInDevice(ana, PIN);
    let wrong = 0;
    for (let round = 0; round < 5; round++) {
      for (let n = 0; n < 4; n++) {
        const answer = await signIn(ana, "5820", device);
        wrong += 1;
        expect(answer.body.errorCode).toBe(wrong < 20 ? "PIN_WRONG" : "PIN_LOCKED");
        till.clock.set(till.clock.now() + 5 * MINUTE);
      }
      if (round < 4) expect((await signIn(ana, PIN, device)).status).toBe(200);
    }
    // The lock ends when the first of the twenty guesses is a day old.
    const until = till.clock.now() - 100 * MINUTE + DAY;
    const locked = await signIn(ana, PIN, device);
    expect(locked.body.fields.lockedUntil).toBe(toTimestamp(until));
    till.clock.set(until);
    expect((await signIn(ana, PIN, device)).status).toBe(200);
    expect(await trail("staff.pin-locked")).toHaveLength(1);
  });

  it("on unknown devices use up no attempts of known devices", async () => {
    const owners = await signInDevice(owner.staffId, OWNER_PIN);
    const anas = await signInDevice(ana, PIN);
    for (const staffId of [ana, owner.staffId]) {
      for (let n = 0; n < 6; n++) await signIn(staffId, "582047");
      expect((await signIn(staffId, staffId === ana ? PIN : OWNER_PIN)).status).toBe(429);
    }
    expect((await signIn(owner.staffId, OWNER_PIN, owners)).status).toBe(200);
    expect((await signIn(ana, "5820", anas)).body.fields.attemptsLeft).toBe("4");
    expect((await signIn(ana, PIN, anas)).status).toBe(200);
    // A right PIN on a known device does not give unknown devices new attempts.
    expect((await signIn(ana, "5820")).body.errorCode).toBe("PIN_LOCKED");
  });

  it("on another person's device are counted like those on an unknown device", async () => {
    const anas = await signInDevice(ana, PIN);
    for (let n = 0; n < 5; n++) await signIn(owner.staffId, "582047", anas);
    expect((await signIn(owner.staffId, OWNER_PIN, anas)).body.errorCode).toBe("PIN_LOCKED");
    expect((await signIn(ana, PIN, anas)).status).toBe(200);
  });

  it("lock an owner's own device for at most an hour", async () => {
    const device = await signInDevice(owner.staffId, OWNER_PIN);
    for (let n = 0; n < 60; n++) {
      const { body } = await signIn(owner.staffId, "582047", device);
      if (body.errorCode !== "PIN_LOCKED") continue;
      const wait_ms = Date.parse(body.fields.lockedUntil) - till.clock.now();
      expect(wait_ms).toBeLessThanOrEqual(HOUR);
      till.clock.set(till.clock.now() + wait_ms);
    }
    expect((await signIn(owner.staffId, OWNER_PIN, device)).status).toBe(200);
  });

  it("limit an attacker who waits for each lock to a few guesses in a month", {
    tags: ["thorough"],
  }, async () => {
    const device = await signInDevice(ana, PIN);
    expect(await guessFor(30, () => signIn(ana, "5820"))).toBeLessThanOrEqual(61);
    expect(await guessFor(30, () => signIn(ana, "5820", device))).toBeLessThanOrEqual(151);
  });

  it("count per source address, and in total over all people", async () => {
    const owners = await signInDevice(owner.staffId, OWNER_PIN);
    const names = [ana];
    for (let n = 0; n < 30; n++) names.push(await hire(`Clerk ${n}`));
    const codes: string[] = [];
    for (const name of names) {
      codes.push((await signIn(name, "5820")).body.errorCode);
    }
    expect(codes.slice(0, 29)).toEqual(Array.from({ length: 29 }, () => "PIN_WRONG"));
    expect(codes.slice(29)).toEqual(["PIN_LOCKED", "PIN_LOCKED"]);
    // The person can still sign in on a known device.
    const untouched = names.at(-1) ?? "";
    expect((await signIn(untouched, PIN)).body.errorCode).toBe("PIN_LOCKED");
    expect((await signIn(owner.staffId, OWNER_PIN, owners)).status).toBe(200);
    till.clock.set(till.clock.now() + DAY);
    expect((await signIn(untouched, PIN)).status).toBe(200);
  });

  it("cause a notice to the person, and to the owner", async () => {
    const device = await signInDevice(ana, PIN);
    const owners = await signInDevice(owner.staffId, OWNER_PIN);
    till.clock.set(till.clock.now() + HOUR);
    for (let n = 0; n < 4; n++) await signIn(ana, "5820");
    till.clock.set(till.clock.now() + HOUR);
    for (let n = 0; n < 3; n++) await signIn(ana, "5820", device);
    // A person is not notified of their own typing mistakes.
    const back = await signIn(ana, PIN, device);
    expect(back.body.notices).toEqual({ wrongPins: 4 });
    expect((await signIn(ana, PIN, device)).body.notices).toBeUndefined();
    const answer = await signIn(owner.staffId, OWNER_PIN, owners);
    expect(answer.body.notices).toEqual({ wrongPinsOf: [{ name: "Ana", count: 7 }] });
    expect((await signIn(owner.staffId, OWNER_PIN, owners)).body.notices).toBeUndefined();
    expect(await trail("staff.pin-wrong")).toHaveLength(7);
  });

  it("in an approval count as at the sign-in, on the device where they were typed", async () => {
    const clerk = await owner.signIn(ana, PIN);
    const owners = await signInDevice(owner.staffId, OWNER_PIN);
    const approve = (cookie: string) =>
      till.call("POST", "/pos/approvals", {
        headers: { cookie },
        body: {
          approvalId: crypto.randomUUID(),
          staffId: owner.staffId,
          pin: "582047",
          rights: [{ right: "reprint" }],
          subject: "s",
          requestDigest: "0".repeat(64),
          facts: "{}",
        },
      });
    for (let n = 0; n < 5; n++) await approve(clerk.cookie);
    expect((await approve(clerk.cookie)).body.errorCode).toBe("PIN_LOCKED");
    expect((await signIn(owner.staffId, OWNER_PIN, owners)).status).toBe(200);
    expect((await approve(`${clerk.cookie}; ${owners}`)).body.fields.attemptsLeft).toBe("4");
  });

  it("stay counted after a restart, until the PIN changes", async () => {
    for (let n = 0; n < 5; n++) await signIn(ana, "5820");
    await till.restart();
    expect((await signIn(ana, PIN)).body.errorCode).toBe("PIN_LOCKED");
    await owner.pos("PATCH", `/staff/${ana}`, { pin: "6283" });
    expect((await signIn(ana, "6283")).status).toBe(200);
  });

  it("do not lock a person out if a wrong clock dated them in another year", async () => {
    const now = till.clock.now();
    till.clock.set(now + 365 * DAY);
    for (let n = 0; n < 6; n++) await signIn(ana, "5820");
    till.clock.set(now);
    expect((await signIn(ana, PIN)).status).toBe(200);
  });
});

describe("a known device", () => {
  it("has a cookie that scripts cannot read and the gateway stores only as a hash", async () => {
    const answer = await signIn(ana, PIN, "tillgate_device=made-up");
    const [session = "", device = "", ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(session).toMatch(/^tillgate_session=/);
    const [pair = "", ...flags] = device.split("; ");
    expect(pair).toMatch(/^tillgate_device=[\w-]{43}$/);
    expect(flags.sort()).toEqual(["HttpOnly", "Max-Age=34560000", "Path=/pos", "SameSite=Strict"]);
    const rows = await till.gateway.context.db.selectFrom("staff_devices").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(pair.split("=")[1]);
    expect(rows.map(({ staff_id }) => staff_id).sort()).toEqual([ana, owner.staffId].sort());
  });

  it("keeps its cookie when other people sign in on it, and after a sign-out", async () => {
    const device = await signInDevice(ana, PIN);
    expect(await signInDevice(owner.staffId, OWNER_PIN, device)).toBe(device);
    for (let n = 0; n < 6; n++) await signIn(ana, "5820");
    expect((await signIn(ana, PIN, device)).status).toBe(200);
  });

  it("no longer exists after its person has left", async () => {
    const device = await signInDevice(ana, PIN);
    await owner.pos("PATCH", `/staff/${ana}`, { active: false });
    await owner.pos("PATCH", `/staff/${ana}`, { active: true });
    for (let n = 0; n < 5; n++) await signIn(ana, "5820");
    expect((await signIn(ana, PIN, device)).body.errorCode).toBe("PIN_LOCKED");
  });
});

describe("a PIN that a person chooses", () => {
  const EASY = [
    "0000",
    "1111",
    "1234",
    "4321",
    "7890",
    "1212",
    "4747",
    "1122",
    "1987",
    "2024",
    "2580",
    // Equal steps, and patterns on the keypad.
    "1357",
    "2468",
    "8642",
    "0369",
    "1478",
    "7415",
    "1236",
    "1397",
    "147258",
  ];

  it.each(EASY)("cannot be %s", async (pin) => {
    const added = await owner.pos("POST", "/staff", { name: "Bea", role: "clerk", pin });
    expect([added.status, added.body.errorCode]).toEqual([400, "PIN_WEAK"]);
    expect(Object.keys(added.body.fields)).toEqual(["pin"]);
    const changed = await owner.pos("PATCH", `/staff/${ana}`, { pin });
    expect(changed.body.errorCode).toBe("PIN_WEAK");
    expect((await signIn(ana, PIN)).status).toBe(200);
  });

  it.each(["111111", "123456", "654321", "121212", "123123", "112233", "20242024"])(
    "cannot be %s for an owner",
    async (pin) => {
      const answer = await owner.pos("PATCH", `/staff/${owner.staffId}`, { pin });
      expect(answer.body.errorCode).toBe("PIN_WEAK");
    },
  );

  it("must differ from the person's current PIN", async () => {
    const own = (pin: string) => owner.pos("PATCH", `/staff/${owner.staffId}`, { pin });
    const same = await own(OWNER_PIN);
    expect([same.status, same.body.fields]).toEqual([400, { pin: "must be another than before" }]);
    expect((await own("603914")).status).toBe(200);
  });

  it("must have at least six digits for an owner", async () => {
    const otto = { name: "Otto", role: "owner", pin: "83910" };
    const refused = await owner.pos("POST", "/staff", otto);
    expect(refused.body).toMatchObject({
      errorCode: "PIN_WEAK",
      fields: { pin: expect.any(String) },
    });
    expect((await owner.pos("POST", "/staff", { ...otto, pin: "839104" })).status).toBe(200);
    const promoted = await owner.pos("PATCH", `/staff/${ana}`, { role: "owner", pin: "8391" });
    expect(promoted.body.errorCode).toBe("PIN_WEAK");
    // A person with a short PIN is notified at the next sign-in.
    expect((await owner.pos("PATCH", `/staff/${ana}`, { role: "owner" })).status).toBe(200);
    const answer = await signIn(ana, PIN);
    expect([answer.status, answer.body.notices]).toEqual([200, { weakPin: "SHORT" }]);
  });
});

describe("a PIN check that is interrupted by the end of the process", () => {
  async function dieWhileChecking(pin: string): Promise<void> {
    const check = vi.spyOn(PinHasher.prototype, "check").mockRejectedValue(new Error("killed"));
    await signIn(ana, pin).catch(() => undefined);
    expect(check).toHaveBeenCalledOnce();
    check.mockRestore();
    await till.restart();
  }

  it("counts no wrong guess, even after many interruptions", async () => {
    for (let death = 0; death < 6; death++) await dieWhileChecking(PIN);
    expect((await signIn(ana, PIN)).status).toBe(200);
  });

  it("does not change the count of reported wrong guesses", async () => {
    for (let n = 0; n < 4; n++) await signIn(ana, "5820");
    await dieWhileChecking(PIN);
    expect((await signIn(ana, "5820")).body.errorCode).toBe("PIN_LOCKED");
  });
});
