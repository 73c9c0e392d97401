import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Access,
  addressOf,
  COMMON_REFUSALS,
  nameOf,
  type Operation,
  OWN_PIN_REFUSALS,
} from "../contract/pos/operation.ts";
import { OPERATIONS } from "../contract/pos/operations.ts";
import { type Role, rightsOf, sells, switchRightsOf } from "../contract/pos/rights.ts";
import { storageOperations } from "../contract/pos/storage.ts";
import { leastValue } from "../testing/least-value.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { cookieOf, OWNER_PIN, openTill, type TestTill } from "../testing/test-till.ts";
import type { App } from "./app-types.ts";
import { handle, requireOperations } from "./pos-operations.ts";
import { createValidatorCompiler } from "./validation.ts";

/**
 * Checks that every kind of caller has exactly the declared access to every operation of the till.
 */
const PEOPLE = {
  "a clerk without rights": { role: "clerk", granted: false, pin: "173946" },
  "a supervisor": { role: "supervisor", granted: undefined, pin: "482917" },
  "a supervisor with every right": { role: "supervisor", granted: true, pin: "629318" },
  "an accountant": { role: "accountant", granted: undefined, pin: "391746" },
  "an accountant without rights": { role: "accountant", granted: false, pin: "847261" },
  "an accountant with every right": { role: "accountant", granted: true, pin: "518394" },
  "an owner": { role: "owner", granted: undefined, pin: OWNER_PIN },
} as const satisfies Record<string, Hired>;
type Person = keyof typeof PEOPLE;
type Caller = Person | "nobody";

/** `granted`: true for all permissions, false for none, undefined for the role's defaults. */
interface Hired {
  role: Role;
  granted: boolean | undefined;
  pin: string;
}

const NAMES = Object.keys(PEOPLE) as Person[];
const CALLERS: readonly Caller[] = ["nobody", ...NAMES];

function grantedTo({ role, granted }: Hired) {
  if (granted === undefined) return {};
  return Object.fromEntries(switchRightsOf(role).map((right) => [right, granted]));
}

let gateway: TestGateway;
let owner: TestTill;
const staffIds = new Map<Caller, string>();

beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway);
  staffIds.set("an owner", owner.staffId);
  for (const name of NAMES) if (PEOPLE[name].role !== "owner") await hire(name);
});
afterAll(() => gateway.close());

async function hire(name: Person): Promise<void> {
  const { role, pin } = PEOPLE[name];
  const { body } = await owner.pos("POST", "/staff", { name: name.slice(0, 40), role, pin });
  const ownRights = grantedTo(PEOPLE[name]);
  const changed = await owner.pos("PATCH", `/staff/${body.staffId}`, { ownRights });
  expect(changed.status).toBe(200);
  staffIds.set(name, body.staffId);
}

const cookies = new Map<Person, string>();

async function tryAs(caller: Caller, operation: Operation): Promise<string> {
  if (caller === "nobody") return callWithLeast(operation, undefined);
  const cookie = cookies.get(caller);
  const found = cookie && (await callWithLeast(operation, cookie));
  if (found && found !== "NOT_SIGNED_IN") return found;
  const anew = await signIn(caller);
  cookies.set(caller, anew);
  return callWithLeast(operation, anew);
}

async function callWithLeast(operation: Operation, cookie: string | undefined): Promise<string> {
  const { method, params, query, body } = operation;
  const filled = (params ? leastValue(params) : {}) as Record<string, string>;
  const asked = (query ? leastValue(query) : {}) as Record<string, string>;
  const path = `${addressOf(operation, filled)}?${new URLSearchParams(asked)}`;
  const leaving = new AbortController();
  const response = await fetch(gateway.url + path, {
    method,
    headers: {
      ...(cookie !== undefined && { cookie }),
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(leastValue(body)) }),
    signal: leaving.signal,
  });
  const answer = response.ok ? { errorCode: "OK" } : await response.json();
  leaving.abort();
  return answer.errorCode;
}

async function signIn(caller: Person): Promise<string> {
  const body = { staffId: staffIds.get(caller), pin: PEOPLE[caller].pin };
  return cookieOf(await gateway.call("POST", "/pos/session", { body }));
}

const STAFF_ONLY: Record<Access, boolean> = {
  anyone: false,
  "display-code": false,
  staff: true,
  seller: true,
  bookkeeper: true,
  owner: true,
};

function refusalAtDoor(caller: Caller, { access, right }: Operation): string | undefined {
  if (caller === "nobody") return STAFF_ONLY[access] ? "NOT_SIGNED_IN" : undefined;
  const { role } = PEOPLE[caller];
  const rights = rightsOf(role, grantedTo(PEOPLE[caller]));
  const isLetIn =
    (access !== "owner" || role === "owner") &&
    (access !== "seller" || sells(role)) &&
    (access !== "bookkeeper" || role === "owner" || role === "accountant") &&
    (right === undefined || rights[right]);
  return isLetIn ? undefined : "FORBIDDEN";
}

describe.each(CALLERS)("%s", (caller) => {
  it.each(OPERATIONS.map((operation) => [nameOf(operation), operation] as const))(
    "%s",
    async (_name, operation) => {
      const found = await tryAs(caller, operation);
      const refusal = refusalAtDoor(caller, operation);
      if (refusal !== undefined) return expect(found).toBe(refusal);
      const { refusals = [], rights } = operation;
      const approval = rights ? ["APPROVAL_REQUIRED"] : [];
      const ownPin = operation.asksPin ? OWN_PIN_REFUSALS : [];
      expect(["OK", ...COMMON_REFUSALS, ...refusals, ...approval, ...ownPin]).toContain(found);
    },
  );
});

describe("an accountant", () => {
  it("cannot sell, because no permission grants an operation of the counter", () => {
    const everything = OPERATIONS.filter(
      (operation) => refusalAtDoor("an accountant with every right", operation) === undefined,
    );
    expect(everything.filter(({ access }) => access === "seller")).toEqual([]);
    expect(everything.map(nameOf)).not.toContain("POST /sales");
  });
});

describe("the list of till operations", () => {
  it("names each operation only once", () => {
    const names = OPERATIONS.map(nameOf);
    expect(names).toEqual([...new Set(names)]);
  });

  it("describes exactly the parameters of each path", () => {
    for (const operation of OPERATIONS) {
      const { properties = {} }: { properties?: object } = operation.params ?? {};
      const inPath = [...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect([nameOf(operation), Object.keys(properties)]).toEqual([nameOf(operation), inPath]);
    }
  });
});

describe("the till application", () => {
  const [first, second] = [storageOperations.get, storageOperations.settleMissing];

  it("fails to start if a route is not in the list of operations", () => {
    const app = newApp([first]);
    expect(() => app.get("/undeclared", () => ({}))).toThrow(/GET \/undeclared is no operation/);
    expect(() => handle(app, second, () => ({}))).toThrow(/missing\/seen is no operation/);
  });

  it("fails to start if an operation of the list has no handler", async () => {
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
