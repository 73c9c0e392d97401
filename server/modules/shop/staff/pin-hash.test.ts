import { createHmac, scryptSync } from "node:crypto";
import { expect, it } from "vitest";
import { hashPin, isPin, PIN_COST, readKeyId } from "./pin-hasher.ts";

const PEPPER = { id: "a".repeat(16), bytes: Buffer.alloc(32, 7) };

it("a PIN is hashed by scrypt with N = 2^17, r = 8, p = 1 and a salt of 16 bytes", {
  tags: ["thorough"],
}, async () => {
  expect(PIN_COST).toBe(17);
  const stored = await hashPin("471183", PIN_COST, undefined);
  const [name, cost, salt = "", hash] = stored.split("$");
  expect([name, cost]).toEqual(["scrypt", "17"]);
  const bytes = Buffer.from(salt, "base64url");
  expect(bytes).toHaveLength(16);
  const parameters = { N: 131_072, r: 8, p: 1, maxmem: 2 ** 28 };
  expect(hash).toBe(scryptSync("471183", bytes, 32, parameters).toString("base64url"));
  expect(await isPin("471183", stored, undefined)).toBe(true);
  expect(await isPin("4712", stored, undefined)).toBe(false);
});

it("each hash of the same PIN has a different salt", async () => {
  const hash = () => hashPin("471183", 4, PEPPER);
  expect(await hash()).not.toBe(await hash());
});

it("the hash of a PIN matches neither a prefix of the PIN nor a longer PIN", async () => {
  const stored = await hashPin("47110", 4, PEPPER);
  expect(await isPin("47110", stored, PEPPER)).toBe(true);
  expect(await isPin("471183", stored, PEPPER)).toBe(false);
  expect(await isPin("471100", stored, PEPPER)).toBe(false);
  expect(await isPin("", stored, PEPPER)).toBe(false);
});

it("a peppered hash is computed from the PIN's HMAC, and contains the key's id but not the pepper", async () => {
  const stored = await hashPin("471183", 4, PEPPER);
  const [kind, keyId, cost, salt = "", hash] = stored.split("$");
  expect([kind, keyId, cost]).toEqual(["hmac-scrypt", PEPPER.id, "4"]);
  const seasoned = createHmac("sha256", PEPPER.bytes).update("471183").digest();
  const again = scryptSync(seasoned, Buffer.from(salt, "base64url"), 32, { N: 16, r: 8, p: 1 });
  expect(hash).toBe(again.toString("base64url"));
  expect(readKeyId(stored)).toBe(PEPPER.id);
  const other = { id: "b".repeat(16), bytes: Buffer.alloc(32, 8) };
  await expect(isPin("471183", stored, other)).rejects.toThrow(/another/);
});
