import { scryptSync } from "node:crypto";
import { expect, it } from "vitest";
import { hashPin, isPin, PIN_COST } from "./pin-hash.ts";

it("a PIN is hashed by scrypt with N = 2^17, r = 8, p = 1 and a salt of 16 bytes", async () => {
  expect(PIN_COST).toBe(17);
  const stored = await hashPin("471183", PIN_COST);
  const [name, cost, salt = "", hash] = stored.split("$");
  expect([name, cost]).toEqual(["scrypt", "17"]);
  const bytes = Buffer.from(salt, "base64url");
  expect(bytes).toHaveLength(16);
  const parameters = { N: 131_072, r: 8, p: 1, maxmem: 2 ** 28 };
  expect(hash).toBe(scryptSync("471183", bytes, 32, parameters).toString("base64url"));
  expect(await isPin("471183", stored)).toBe(true);
  expect(await isPin("4712", stored)).toBe(false);
});

it("the same PIN is hashed with another salt each time", async () => {
  expect(await hashPin("471183", 4)).not.toBe(await hashPin("471183", 4));
});

it("a PIN is told apart from one that begins with it, or that it begins with", async () => {
  const stored = await hashPin("47110", 4);
  expect(await isPin("471183", stored)).toBe(false);
  expect(await isPin("471100", stored)).toBe(false);
  expect(await isPin("", stored)).toBe(false);
});
