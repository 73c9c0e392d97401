import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Access,
  addressOf,
  COMMON_REFUSALS,
  nameOf,
  type Operation,
} from "../contract/pos/operation.ts";
import { OPERATIONS } from "../contract/pos/operations.ts";
import { SWITCH_RIGHTS } from "../contract/pos/rights.ts";
import { storageOperations } from "../contract/pos/storage-operations.ts";
import { leastValue } from "../testing/least-value.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../testing/test-till.ts";
import type { App } from "./app-types.ts";
import { handle, requireOperations } from "./pos-operations.ts";
import { createValidatorCompiler } from "./validation.ts";

/** Who may call what: every operation of the till, called by everybody, is as it declares. */
const CALLERS = ["nobody", "a clerk without rights", "a supervisor with every right", "an owner"];
type Caller = (typeof CALLERS)[number];

let gateway: TestGateway;
let owner: TestTill;
const people = new Map<Caller, { staffId: string; pin: string }>();

beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway);
  people.set("an owner", { staffId: owner.staffId, pin: OWNER_PIN });
  await hire("a clerk without rights", "clerk", false);
  await hire("a supervisor with every right", "supervisor", true);
});
afterAll(() => gateway.close());

async function hire(caller: Caller, role: string, granted: boolean): Promise<void> {
  const pin = granted ? "629318" : "173946";
  const { body } = await owner.pos("POST", "/staff", { name: caller.slice(0, 40), role, pin });
  const rights = Object.fromEntries(SWITCH_RIGHTS.map((right) => [right, granted]));
  const ownRights = { ...rights, discountPct: granted ? 100 : 0 };
  const changed = await owner.pos("PATCH", `/staff/${body.staffId}`, { ownRights });
  expect(changed.status).toBe(200);
  people.set(caller, { staffId: body.staffId, pin });
}

/** Calls it with the least that it takes; answers its refusal, or "OK". A stream is left at once. */
async function tryAs(caller: Caller, operation: Operation): Promise<string> {
  const { method, params, query, body } = operation;
  const filled = (params ? leastValue(params) : {}) as Record<string, string>;
  const asked = (query ? leastValue(query) : {}) as Record<string, string>;
  const path = `${addressOf(operation, filled)}?${new URLSearchParams(asked)}`;
  const person = people.get(caller);
  // Some of them end the session.
  const till = person && (await owner.signIn(person.staffId, person.pin, { shift: false }));
  const leaving = new AbortController();
  const response = await fetch(gateway.url + path, {
    method,
    headers: {
      ...(till && { cookie: till.cookie }),
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(leastValue(body)) }),
    signal: leaving.signal,
  });
  const answer = response.ok ? { errorCode: "OK" } : await response.json();
  leaving.abort();
  return answer.errorCode;
}

const STAFF_ONLY: Record<Access, boolean> = {
  anyone: false,
  "display-code": false,
  staff: true,
  owner: true,
};

/** The error code with which the caller is refused; undefined where the operation lets them in. */
function refusalAtDoor(caller: Caller, { access, right }: Operation): string | undefined {
  if (caller === "nobody") return STAFF_ONLY[access] ? "NOT_SIGNED_IN" : undefined;
  if (right && caller === "a clerk without rights") return "FORBIDDEN";
  return access === "owner" && caller !== "an owner" ? "FORBIDDEN" : undefined;
}

describe.each(CALLERS)("%s", (caller) => {
  it.each(OPERATIONS.map((operation) => [nameOf(operation), operation] as const))(
    "%s",
    async (_name, operation) => {
      const found = await tryAs(caller, operation);
      const refusal = refusalAtDoor(caller, operation);
      if (refusal !== undefined) return expect(found).toBe(refusal);
      const { refusals, rights } = operation;
      const approval = rights ? ["APPROVAL_REQUIRED"] : [];
      expect(["OK", ...COMMON_REFUSALS, ...refusals, ...approval]).toContain(found);
    },
  );
});

describe("the list of operations", () => {
  it("names each once", () => {
    const names = OPERATIONS.map(nameOf);
    expect(names).toEqual([...new Set(names)]);
  });

  it("describes every parameter of a path, and no other", () => {
    for (const operation of OPERATIONS) {
      const { properties = {} }: { properties?: object } = operation.params ?? {};
      const inPath = [...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect([nameOf(operation), Object.keys(properties)]).toEqual([nameOf(operation), inPath]);
    }
  });
});

describe("a gateway does not start", () => {
  const [first, second] = [storageOperations.get, storageOperations.settleMissing];

  it("with a route that is no operation of the list", () => {
    const app = newApp([first]);
    expect(() => app.get("/undeclared", () => ({}))).toThrow(/GET \/undeclared is no operation/);
    expect(() => handle(app, second, () => ({}))).toThrow(/missing\/seen is no operation/);
  });

  it("with an operation of the list that nothing handles", async () => {
    const app = newApp([first, second]);
    handle(app, first, () => ({}));
    await expect(app.ready()).rejects.toThrow(/^POST \/storage\/missing\/seen is declared and/);
  });

  function newApp(operations: readonly Operation[]): App {
    const app = fastify().withTypeProvider<TypeBoxTypeProvider>();
    app.setValidatorCompiler(createValidatorCompiler());
    requireOperations(app, operations);
    return app;
  }
});
