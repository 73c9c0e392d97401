import { LastingProblem } from "../contract/problem.ts";
import { type Clock, SECOND } from "../lib/clock.ts";

/**
 * Time at which the whole database file is read. "beside work": during sales, after a clean
 * shutdown. "at opening": before a migration, and for a small file after a crash. "before work":
 * for a large file after a crash; sales wait for the result.
 */
export type CheckTime = "at opening" | "before work" | "beside work";

interface Options {
  when: CheckTime;
  clock: Clock;
  sizeBytes: number;
  /** @returns the damage that was found in the whole file; undefined for an intact file */
  findDamage(): Promise<string | undefined>;
}

/**
 * State of the check of the database file. If the file must be read first, work is refused until
 * the check ends. After damage was found, work is refused permanently (rules#fault-file-check).
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
   * Reads the whole file, unless it was already read.
   * @returns the damage; undefined for an intact file
   * @throws if the file cannot be checked
   */
  async run(): Promise<string | undefined> {
    if (this.#isDone) return this.#damage;
    this.#began = this.#options.clock.running();
    this.#damage = await this.#options.findDamage();
    this.#isDone = true;
    return this.#damage;
  }

  /** Returns whether the next start may use the file without reading it first. */
  get isTrusted(): boolean {
    return this.#damage === undefined && (this.#isDone || this.when === "beside work");
  }

  /**
   * @throws LastingProblem SYSTEM_UNAVAILABLE with the reason, while the state of the file prevents work
   */
  requireUsable(): void {
    if (this.#damage !== undefined) {
      throw new LastingProblem(
        "Nothing was done: the database is damaged. Tillgate ends, and says how to restore the newest backup.",
      );
    }
    if (this.#isDone || this.when === "beside work") return;
    const { clock, sizeBytes } = this.#options;
    const seconds = Math.floor((clock.running() - (this.#began ?? clock.running())) / SECOND);
    throw new LastingProblem(
      `Nothing was done: Tillgate did not end in order and checks its database before it sells: ${Math.ceil(sizeBytes / 1e6)} MB, for ${seconds} s so far.`,
    );
  }
}
