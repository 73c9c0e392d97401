import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { cookieOf, setUpTill, type TestTill } from "../../../testing/test-till.ts";

/** scrypt cost that makes a check slow enough to change the person during the check. */
const SLOW_PINS = 13;
const OLD_PIN = "1739";

let shop: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  shop = await startTestGateway({ pinCost: SLOW_PINS });
  owner = await setUpTill(shop);
});
afterAll(() => shop.close());

async function addClerk(name: string): Promise<string> {
  const added = await owner.pos("POST", "/staff", { name, role: "clerk", pin: OLD_PIN });
  return added.body.staffId;
}

/**
 * Signs in repeatedly during the owner's change.
 * @returns the opened sessions
 */
async function signInDuring(staffId: string, change: object): Promise<string[]> {
  let isDone = false;
  const changed = owner.pos("PATCH", `/staff/${staffId}`, change).finally(() => {
    isDone = true;
  });
  const cookies: string[] = [];
  const hammer = async () => {
    while (!isDone) {
      const body = { staffId, pin: OLD_PIN };
      const answer = await shop.call("POST", "/pos/session", { body });
      if (answer.status === 200) cookies.push(cookieOf(answer));
    }
  };
  await Promise.all([hammer(), hammer(), hammer()]);
  expect((await changed).status).toBe(200);
  return cookies;
}

describe("a sign-in", () => {
  it.each([
    ["gets another PIN", { pin: "8462" }],
    ["leaves", { active: false }],
  ])("opens no session if the person %s during the check", async (name, change) => {
    const staffId = await addClerk(name);
    for (const cookie of await signInDuring(staffId, change)) {
      const session = await shop.call("GET", "/pos/session", { headers: { cookie } });
      expect(session.status).toBe(401);
    }
    const again = await shop.call("POST", "/pos/session", { body: { staffId, pin: OLD_PIN } });
    expect(again.status).toBe(401);
  });
});
