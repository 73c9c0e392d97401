import { Problem } from "../contract/problem.ts";
import { type Clock, SECOND } from "../lib/clock.ts";

/**
 * When the whole file of a database is read: beside the work, or after an end that was not in order before it was
 * opened for work (a small one) or before anything is sold.
 */
export type CheckTime = "at opening" | "before work" | "beside work";

interface Options {
  when: CheckTime;
  clock: Clock;
  sizeBytes: number;
  /** Reads the whole file. @returns what is wrong with it; undefined for nothing */
  findDamage(): Promise<string | undefined>;
}

/**
 * Knows whether the file of the database was found whole, and refuses work by it: until that is known
 * where it has to be known first, and for good once it is found damaged (rules#fault-file-check).
 */
export class FileCheck {
  readonly when: CheckTime;
  readonly #options: Options;
  #began: number | undefined;
  #damage: string | undefined;
  #isDone: boolean;

  constructor(options: Options) {
    this.#options = options;
    this.when = options.when;
    this.#isDone = options.when === "at opening";
  }

  /**
   * Reads the whole file, unless that has been done.
   * @returns what is wrong with it; undefined for nothing
   * @throws when it could not be found out
   */
  async run(): Promise<string | undefined> {
    if (this.#isDone) return this.#damage;
    this.#began = this.#options.clock.running();
    this.#damage = await this.#options.findDamage();
    this.#isDone = true;
    return this.#damage;
  }

  /** Whether the file may be relied on at the next start without being read first. */
  get isTrusted(): boolean {
    return this.#damage === undefined && (this.#isDone || this.when === "beside work");
  }

  /** @throws Problem SYSTEM_UNAVAILABLE with the reason, while nothing may be done because of the file */
  requireUsable(): void {
    if (this.#damage !== undefined) {
      throw new Problem(
        "SYSTEM_UNAVAILABLE",
        "Nothing was done: the database is damaged. Tillgate ends, and says how to restore the newest backup.",
      );
    }
    if (this.#isDone || this.when === "beside work") return;
    const { clock, sizeBytes } = this.#options;
    const seconds = Math.floor((clock.running() - (this.#began ?? clock.running())) / SECOND);
    throw new Problem(
      "SYSTEM_UNAVAILABLE",
      `Nothing was done: Tillgate did not end in order and checks its database before it sells: ${Math.ceil(sizeBytes / 1e6)} MB, for ${seconds} s so far.`,
    );
  }
}
