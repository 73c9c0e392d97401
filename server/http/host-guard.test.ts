import { hostname } from "node:os";
import type { FastifyRequest } from "fastify";
import { describe, expect, it } from "vitest";
import { isLoopback } from "./addresses.ts";
import { createHostGuard } from "./host-guard.ts";

type Verdict = "let through" | "refused";

function judge(
  guard: ReturnType<typeof createHostGuard>,
  headers: { host?: string; origin?: string },
  rawHeaders: string[] = [],
): Verdict {
  try {
    guard({ headers, raw: { rawHeaders } } as FastifyRequest);
    return "let through";
  } catch (error) {
    expect(error).toMatchObject({ errorCode: "FORBIDDEN", status: 403 });
    return "refused";
  }
}

const MACHINE = hostname().toLowerCase();

describe("the host guard of a gateway without network listeners", () => {
  const guard = createHostGuard("127.0.0.1", ["till.example"]);
  it.each<[string, Verdict]>([
    ["127.0.0.1:8787", "let through"],
    ["127.0.0.1", "let through"],
    ["127.5.6.7:1", "let through"],
    ["localhost:8787", "let through"],
    ["LOCALHOST", "let through"],
    ["[::1]:8787", "let through"],
    ["till.example", "let through"],
    ["Till.Example:8787", "let through"],
    ["evil.example", "refused"],
    ["localhost.evil.example", "refused"],
    ["till.example.evil.example", "refused"],
    ["192.168.1.5:8787", "refused"],
    ["0.0.0.0:8787", "refused"],
    ["[2001:db8::1]", "refused"],
    ["", "refused"],
    ["a b", "refused"],
    ["127.0.0.1@evil.example", "refused"],
    ["evil.example@127.0.0.1", "refused"],
    ["evil.example:80@127.0.0.1:8787", "refused"],
    ["127.0.0.1/evil.example", "refused"],
    ["127.0.0.1?x", "refused"],
    ["127.0.0.1#x", "refused"],
    ["127.0.0.1\\evil.example", "refused"],
    ["127.0.0.1:", "refused"],
    ["127.0.0.1:8787:8787", "refused"],
    ["%31%32%37.0.0.1", "refused"],
    ["１２７.0.0.1", "refused"],
  ])("judges the host %j: %s", (host, verdict) => {
    expect(judge(guard, { host })).toBe(verdict);
  });

  it("refuses two host headers, even if both name the gateway", () => {
    const host = "127.0.0.1:8787";
    expect(judge(guard, { host }, ["Host", host, "Accept", "host"])).toBe("let through");
    expect(judge(guard, { host }, ["Host", host, "HOST", host])).toBe("refused");
  });

  it("refuses a request without a host", () => {
    expect(judge(guard, {})).toBe("refused");
  });
});

describe("the host guard of a gateway with network listeners", () => {
  const guard = createHostGuard("0.0.0.0", []);
  it.each<[string, Verdict]>([
    ["192.168.1.5:8787", "let through"],
    ["[2001:db8::1]:8787", "let through"],
    [`${MACHINE}:8787`, "let through"],
    [`${MACHINE}.local`, "let through"],
    ["localhost", "let through"],
    ["evil.example", "refused"],
    [`${MACHINE}.evil.example`, "refused"],
  ])("judges the host %j: %s", (host, verdict) => {
    expect(judge(guard, { host })).toBe(verdict);
  });
});

describe("the origin check", () => {
  const guard = createHostGuard("127.0.0.1", []);
  const host = "127.0.0.1:8787";
  it.each<[string, Verdict]>([
    ["http://127.0.0.1:8787", "let through"],
    ["https://127.0.0.1:8787", "let through"],
    ["http://127.0.0.1", "refused"],
    ["http://localhost:8787", "refused"],
    ["http://evil.example", "refused"],
    ["http://127.0.0.1:8787.evil.example", "refused"],
    ["null", "refused"],
    ["file://", "refused"],
    ["", "refused"],
  ])("judges the origin %j: %s", (origin, verdict) => {
    expect(judge(guard, { host, origin })).toBe(verdict);
  });
});

it.each([
  ["127.0.0.1", true],
  ["127.255.255.254", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["128.0.0.1", false],
  ["::ffff:10.0.0.1", false],
  ["::2", false],
  ["0.0.0.0", false],
  ["localhost", false],
  ["", false],
])("recognizes %j as this machine's own address: %s", (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});
