import { createHmac, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { Problem } from "../../../contract/problem.ts";
import type { Log } from "../../../lib/log.ts";
import { type DerivedKey, type FileSealer, SealError } from "../../../lib/sealer.ts";

/** log2 of scrypt's cost: 128 MiB and some tenths of a second per guess. */
export const PIN_COST = 17;

const BLOCK_SIZE = 8;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** A parsed hash. `keyId` is undefined in hashes without a pepper, from early versions. */
interface ParsedHash {
  keyId: string | undefined;
  cost: number;
  salt: Buffer;
  hash: Buffer;
}

/**
 * Hashes a PIN with scrypt and a new salt: `scrypt$cost$salt$hash`. With a pepper, which is not in
 * the database, hashes the PIN's HMAC: `hmac-scrypt$keyId$cost$salt$hash`.
 */
export async function hashPin(
  pin: string,
  cost: number,
  pepper: DerivedKey | undefined,
): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(pepper ? season(pin, pepper) : pin, salt, cost);
  const kind = pepper ? ["hmac-scrypt", pepper.id] : ["scrypt"];
  return [...kind, cost, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/**
 * Compares a PIN with a stored hash, in constant time.
 * @param pepper the pepper of the key that `readKeyId` returns
 */
export async function isPin(
  pin: string,
  stored: string,
  pepper: DerivedKey | undefined,
): Promise<boolean> {
  const { keyId, cost, salt, hash } = read(stored);
  if (keyId !== undefined && keyId !== pepper?.id) {
    throw new Error("the pepper has another key id than the hash");
  }
  const seasoned = keyId !== undefined && pepper ? season(pin, pepper) : pin;
  return timingSafeEqual(await derive(seasoned, salt, cost), hash);
}

/** Returns the key's id; undefined for a hash without a key. */
export function readKeyId(stored: string): string | undefined {
  return read(stored).keyId;
}

function read(stored: string): ParsedHash {
  const parts = stored.split("$");
  const [kind, keyId] = parts;
  const [cost, salt = "", hash = ""] = parts.slice(kind === "scrypt" ? 1 : 2);
  return {
    keyId: kind === "scrypt" ? undefined : keyId,
    cost: Number(cost),
    salt: Buffer.from(salt, "base64url"),
    hash: Buffer.from(hash, "base64url"),
  };
}

function season(pin: string, pepper: DerivedKey): Buffer {
  return createHmac("sha256", pepper.bytes).update(pin).digest();
}

function derive(pin: string | Buffer, salt: Buffer, cost: number): Promise<Buffer> {
  const N = 2 ** cost;
  const options: ScryptOptions = { N, r: BLOCK_SIZE, p: 1, maxmem: 256 * N * BLOCK_SIZE };
  return new Promise((resolve, reject) => {
    scrypt(pin, salt, HASH_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

const PURPOSE = "the pepper of PINs";

interface PinHasherDeps {
  /** Derives the pepper. */
  keyFile: Pick<FileSealer, "derive">;
  cost: number;
  log: Log;
}

/**
 * Hashes PINs. The hash also depends on the key file, which is in neither the database nor a
 * backup, because PINs have few digits (rules#pin-hashed-with-key). If the key file is unusable, a
 * new PIN is hashed without it, and rehashed later.
 */
export class PinHasher {
  readonly #deps: PinHasherDeps;

  constructor(deps: PinHasherDeps) {
    this.#deps = deps;
  }

  hash(pin: string): Promise<string> {
    return hashPin(pin, this.#deps.cost, this.#derivePepper({ create: true }));
  }

  /** @throws Problem PIN_KEY_MISSING if the hash depends on a key that is missing */
  requireCheckable(stored: string): void {
    const keyId = readKeyId(stored);
    if (keyId === undefined || this.#derivePepper({ create: false })?.id === keyId) return;
    throw new Problem(
      "PIN_KEY_MISSING",
      "The file secrets.key that this PIN is kept with is not there: put it back, or set a new PIN with staff pin.",
    );
  }

  /**
   * @param stored a hash that `requireCheckable` accepted
   * @returns undefined if the PIN is wrong; otherwise the hash to store, which is new if the stored
   * hash has no pepper
   */
  async check(pin: string, stored: string): Promise<{ hash: string } | undefined> {
    const pepper = this.#derivePepper({ create: false });
    if (!(await isPin(pin, stored, pepper))) return undefined;
    if (readKeyId(stored) !== undefined) return { hash: stored };
    return { hash: await this.hash(pin) };
  }

  #derivePepper(options: { create: boolean }): DerivedKey | undefined {
    try {
      return this.#deps.keyFile.derive(PURPOSE, options);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      this.#deps.log.warn({ err: error }, "the key of PIN hashes cannot be used");
      return undefined;
    }
  }
}
