import { randomBytes, scrypt } from "node:crypto";
import { type Static, Type } from "typebox";
import { PhraseError, parsePhrase } from "../../../lib/recovery-phrase.ts";
import { openBytes, type SealKey, sealBytes, toSealKey } from "../../../lib/sealer.ts";

/**
 * log2 of scrypt's cost. A low cost is enough: the phrase has 128 random bits, which cannot be
 * guessed.
 */
const COST_LOG2 = 15;
const MAX_COST_LOG2 = 20;
const BLOCK_SIZE = 8;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** Memory limit, as a multiple of the memory that scrypt needs (128 · N · r bytes). */
const MEMORY_MARGIN = 2;

/** The keys of a shop, encrypted with a key derived from the recovery phrase. */
export const SealedKit = Type.Object({
  kitId: Type.String({ maxLength: 64 }),
  madeAt: Type.Integer(),
  costLog2: Type.Integer({ minimum: 1, maximum: MAX_COST_LOG2 }),
  salt: Type.String({ maxLength: 64 }),
  sealed: Type.String({ maxLength: 1024 }),
  /** Id of the keyring key; absent if the shop has none. */
  keyringId: Type.Optional(Type.String({ maxLength: 64 })),
});
export type SealedKit = Static<typeof SealedKit>;

export interface ShopKeys {
  readonly key: SealKey;
  /** The desktop app's key, which the user's keyring protects; undefined if the shop has none. */
  readonly keyring: SealKey | undefined;
}

export async function sealKit(
  phrase: string,
  { key, keyring }: ShopKeys,
  { kitId, madeAt }: Pick<SealedKit, "kitId" | "madeAt">,
): Promise<SealedKit> {
  const salt = randomBytes(SALT_BYTES).toString("base64url");
  const derived = await deriveFromPhrase(phrase, { salt, costLog2: COST_LOG2 });
  const content = Buffer.concat([key.bytes, ...(keyring ? [keyring.bytes] : [])]);
  const sealed = sealBytes(derived, content, contextOf(kitId));
  const common = { kitId, madeAt, costLog2: COST_LOG2, salt, sealed };
  return keyring ? { ...common, keyringId: keyring.id } : common;
}

/**
 * Decrypts the kit to which a phrase belongs.
 * @throws PhraseError if the phrase is malformed or belongs to none of the kits
 */
export async function openKits(kits: readonly SealedKit[], phrase: string): Promise<ShopKeys> {
  for (const kit of kits) {
    const derived = await deriveFromPhrase(phrase, kit);
    const bytes = openBytes(derived, kit.sealed, contextOf(kit.kitId));
    if (!bytes) continue;
    const key = toSealKey(bytes.subarray(0, KEY_BYTES));
    const rest = bytes.subarray(KEY_BYTES);
    return { key, keyring: rest.length > 0 ? toSealKey(rest) : undefined };
  }
  throw new PhraseError(
    "This recovery phrase does not open this backup. Use the sheet that was printed last before the backup was made.",
    { kind: "OTHER_BACKUP" },
  );
}

function contextOf(kitId: string): string {
  return `tillgate recovery kit ${kitId}`;
}

async function deriveFromPhrase(
  phrase: string,
  { salt, costLog2 }: Pick<SealedKit, "salt" | "costLog2">,
): Promise<Buffer> {
  const cost = 2 ** costLog2;
  const options = { N: cost, r: BLOCK_SIZE, p: 1, maxmem: 128 * cost * BLOCK_SIZE * MEMORY_MARGIN };
  const entropy = await parsePhrase(phrase);
  return new Promise((resolve, reject) => {
    scrypt(entropy, Buffer.from(salt, "base64url"), KEY_BYTES, options, (error, derived) =>
      error ? reject(error) : resolve(derived),
    );
  });
}
