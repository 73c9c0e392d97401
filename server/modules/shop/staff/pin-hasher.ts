import { Problem } from "../../../contract/problem.ts";
import type { Log } from "../../../lib/log.ts";
import { type DerivedKey, type FileSealer, SealError } from "../../../lib/sealer.ts";
import { hashPin, isPin, keyIdOf } from "./pin-hash.ts";

const PURPOSE = "the pepper of PINs";

interface PinHasherDeps {
  /** Keeps the key that the pepper follows from: one that every host of a data directory can use. */
  keyFile: Pick<FileSealer, "derive">;
  /** log2 of scrypt's cost. */
  cost: number;
  log: Log;
}

/**
 * Hashes PINs and checks them. A thief of the database or a backup tries few digits out in no time, so
 * the hash depends on the key file too, which is in neither (rules#pin-hashed-with-key). Where that
 * cannot be used, a new PIN is hashed without it, and with it after the next time it is typed.
 */
export class PinHasher {
  readonly #deps: PinHasherDeps;

  constructor(deps: PinHasherDeps) {
    this.#deps = deps;
  }

  hash(pin: string): Promise<string> {
    return hashPin(pin, this.#deps.cost, this.#pepper({ create: true }));
  }

  /** @throws Problem PIN_KEY_MISSING where a PIN cannot be checked */
  requireCheckable(stored: string): void {
    const keyId = keyIdOf(stored);
    if (keyId === undefined || this.#pepper({ create: false })?.id === keyId) return;
    throw new Problem(
      "PIN_KEY_MISSING",
      "The file secrets.key that this PIN is kept with is not there: put it back, or set a new PIN with staff pin.",
    );
  }

  /**
   * Whether a PIN is the one that was hashed.
   * @param stored what `requireCheckable` has let pass
   * @returns the hash to keep from now on where it is right: another one if that was not peppered
   */
  async check(pin: string, stored: string): Promise<{ hash: string } | undefined> {
    const pepper = this.#pepper({ create: false });
    if (!(await isPin(pin, stored, pepper))) return undefined;
    if (keyIdOf(stored) !== undefined) return { hash: stored };
    return { hash: await this.hash(pin) };
  }

  #pepper(options: { create: boolean }): DerivedKey | undefined {
    try {
      return this.#deps.keyFile.derive(PURPOSE, options);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      this.#deps.log.warn({ err: error }, "the key that PINs are kept with cannot be used");
      return undefined;
    }
  }
}
