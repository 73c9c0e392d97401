import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";

/** log2 of scrypt's cost: 128 MiB and some tenths of a second a guess. */
export const PIN_COST = 17;

const BLOCK_SIZE = 8;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Hashes a PIN with scrypt and a fresh salt, as `scrypt$cost$salt$hash`. */
export async function hashPin(pin: string, cost: number): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(pin, salt, cost);
  return ["scrypt", cost, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** Whether a PIN is the one that was hashed; takes the same time either way. */
export async function isPin(pin: string, stored: string): Promise<boolean> {
  const [, cost = "", salt = "", hash = ""] = stored.split("$");
  const expected = Buffer.from(hash, "base64url");
  const actual = await derive(pin, Buffer.from(salt, "base64url"), Number(cost));
  return timingSafeEqual(actual, expected);
}

function derive(pin: string, salt: Buffer, cost: number): Promise<Buffer> {
  const N = 2 ** cost;
  const options: ScryptOptions = { N, r: BLOCK_SIZE, p: 1, maxmem: 256 * N * BLOCK_SIZE };
  return new Promise((resolve, reject) => {
    scrypt(pin, salt, HASH_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
