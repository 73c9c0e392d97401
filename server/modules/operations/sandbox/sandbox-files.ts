import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { FaultSettings, SPEEDS } from "../../../contract/v1/sandbox.ts";
import { makeDataDir } from "../../../db/database-files.ts";
import { measureRequestFile, removeRequestFile } from "../../../db/sqlite/request-file.ts";
import { findJson } from "../../../lib/checked-json.ts";
import { DAY } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { writeFileWhole } from "../../../lib/write-file.ts";
import type { Base } from "../../module.ts";
import { purgeRequestFile } from "../request-log/index.ts";
import type { ScenarioLog } from "./scenario-book.ts";

const OWNER_ONLY = 0o600;
/** Prefixes of directories of unfinished changes. */
const PART = ".part-";
const REMOVED = ".removed-";
const TEMPLATE = ".template";

/** Facts of a named sandbox that are not in its database. */
export const StoredSandbox = Type.Object({
  name: Type.String(),
  createdAt: Type.Integer(),
  /** SHA-256 of the integrator's key. */
  keyHash: Type.String(),
  keyHint: Type.String(),
  /** Sealed key of the sandbox's database, which replaces the integrator's key in a request. */
  innerKey: Type.String(),
  keyId: Type.String(),
  /** Sealed. */
  webhookSecret: Type.String(),
  /** Whether the owner allows webhooks to private addresses. */
  allowPrivate: Type.Optional(Type.Boolean()),
  /** Balance after a reset, in minor units; absent for that of a new test wallet. */
  wallet: Type.Optional(Type.Integer()),
  /** True while the sandbox is open, or was closed with unfinished work. */
  isResumed: Type.Boolean(),
  state: Type.Object({
    clock: Type.Object({
      now: Type.Integer(),
      at: Type.Integer(),
      speed: Type.Enum([...SPEEDS]),
    }),
    scenario: Type.Optional(Type.String()),
    faults: FaultSettings,
  }),
});
export type StoredSandbox = Static<typeof StoredSandbox>;

/** The directory of the named sandboxes. Each has a directory with its name. */
export class SandboxFiles {
  readonly #root: string;

  constructor(dataDir: string) {
    this.#root = join(dataDir, "sandboxes");
  }

  dirOf(name: string): string {
    return join(this.#root, name);
  }

  get templateDir(): string {
    return join(this.#root, TEMPLATE);
  }

  /** Returns the directory of a sandbox that is not complete. */
  partDir(id: string): string {
    makeDataDir(this.#root);
    return join(this.#root, `${PART}${id}`);
  }

  /** Returns the stored sandboxes by the names of their directories; undefined for broken ones. */
  list(): Map<string, StoredSandbox | undefined> {
    return new Map(
      this.#listNames()
        .filter((name) => !name.startsWith("."))
        .map((name) => {
          const facts = this.read(this.dirOf(name));
          // A copied directory has the key of another sandbox.
          return [name, facts?.name === name ? facts : undefined];
        }),
    );
  }

  read(dir: string): StoredSandbox | undefined {
    try {
      return findJson(StoredSandbox, readFileSync(factsFile(dir), "utf8"));
    } catch {
      return undefined;
    }
  }

  async write(dir: string, facts: StoredSandbox): Promise<void> {
    await writeFileWhole(factsFile(dir), JSON.stringify(facts), OWNER_ONLY);
  }

  /** Gives a finished directory its final name, in place of an earlier directory. */
  async place(part: string, name: string, oldId: string): Promise<void> {
    const dir = this.dirOf(name);
    const old = this.partDir(oldId);
    const hasOld = existsSync(dir);
    if (hasOld) await rename(dir, old);
    try {
      await rename(part, dir);
    } catch (error) {
      if (hasOld) await rename(old, dir);
      throw error;
    }
    await rm(old, { recursive: true, force: true });
  }

  async remove(name: string, id: string): Promise<void> {
    const old = join(this.#root, `${REMOVED}${id}`);
    await rename(this.dirOf(name), old);
    await rm(old, { recursive: true, force: true });
  }

  /** Completes an interrupted change: at most one complete directory of a sandbox remains. */
  finishParts(log: Log): void {
    for (const name of this.#listNames().filter((one) => one.startsWith(PART))) {
      const facts = this.read(this.dirOf(name));
      if (!facts || existsSync(this.dirOf(facts.name))) continue;
      try {
        renameSync(this.dirOf(name), this.dirOf(facts.name));
      } catch (error) {
        log.error({ err: error, sandbox: facts.name }, "a sandbox's directory cannot be renamed");
      }
    }
  }

  async removeParts(log: Log): Promise<void> {
    for (const name of this.#listNames()) {
      const isPart = [PART, REMOVED].some((prefix) => name.startsWith(prefix));
      if (!isPart && name !== TEMPLATE) continue;
      await this.removePart(this.dirOf(name), log);
    }
  }

  async removePart(dir: string, log: Log): Promise<void> {
    await rm(dir, { recursive: true, force: true }).catch((error: unknown) => {
      log.warn({ err: error }, "the rest of a sandbox cannot be removed");
    });
  }

  #listNames(): string[] {
    try {
      return readdirSync(this.#root);
    } catch {
      return [];
    }
  }
}

function factsFile(dir: string): string {
  return join(dir, "sandbox.json");
}

/**
 * A file of the scenarios of purchases, with a line for each change. A write reaches the file system
 * before the purchase is accepted, so that a killed process keeps it.
 */
export class ScenarioFile implements ScenarioLog {
  readonly #file: string;
  readonly entries: ReadonlyMap<string, string>;

  constructor(dir: string) {
    this.#file = join(dir, "scenarios.jsonl");
    this.entries = readEntries(this.#file);
  }

  note(subject: string, name: string | undefined): void {
    appendFileSync(this.#file, toLine(subject, name), { mode: OWNER_ONLY });
  }

  async replace(entries: ReadonlyMap<string, string>): Promise<void> {
    if (entries.size === 0) {
      await rm(this.#file, { force: true });
      return;
    }
    const lines = [...entries].map(([subject, name]) => toLine(subject, name));
    await writeFileWhole(this.#file, lines.join(""), OWNER_ONLY);
  }
}

const Line = Type.Tuple([Type.String(), Type.Union([Type.String(), Type.Null()])]);

function toLine(subject: string, name: string | undefined): string {
  return `${JSON.stringify([subject, name ?? null])}\n`;
}

/** A kill may have cut the last line, which is then left out. */
function readEntries(file: string): Map<string, string> {
  const entries = new Map<string, string>();
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  for (const line of text.split("\n")) {
    const entry = findJson(Line, line);
    if (!entry) continue;
    const [subject, name] = entry;
    if (name === null) entries.delete(subject);
    else entries.set(subject, name);
  }
  return entries;
}

/** Maximum size of the request logs of all sandboxes, checked whenever one is closed. */
const MAX_BYTES_TOGETHER = 2 ** 30;

interface LoggedSandbox {
  readonly name: string;
  readonly isRemoved: boolean;
  /** Undefined while the sandbox is closed. */
  readonly opened: object | undefined;
}

interface SandboxLogsDeps extends Pick<Base, "log" | "machineClock"> {
  files: SandboxFiles;
  listEntries(): readonly LoggedSandbox[];
  /** Runs work while no sandbox is opened or closed. */
  inTurn(work: () => Promise<void>): Promise<void>;
}

/**
 * Limits the request logs of sandboxes. An open sandbox deletes its own expired requests, and those
 * of a closed one are deleted here.
 */
export class SandboxLogs {
  readonly #deps: SandboxLogsDeps;
  #cancel = () => {};
  #isStopped = false;

  constructor(deps: SandboxLogsDeps) {
    this.#deps = deps;
  }

  /** Deletes expired requests at once, and each day. */
  start(): void {
    const { machineClock } = this.#deps;
    this.#cancel = machineClock.wakeAt(machineClock.now() + DAY, () => this.start());
    void this.#purge();
  }

  beginStop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /**
   * Removes the logs of the sandboxes that were unused for the longest time, until the others are
   * small enough together. Must be called in turn.
   */
  limit(): void {
    const { listEntries, files } = this.#deps;
    const logs = listEntries().flatMap((entry) => {
      const dir = files.dirOf(entry.name);
      const facts = measureRequestFile(dir);
      return facts ? [{ entry, dir, ...facts }] : [];
    });
    let excess = logs.reduce((sum, { bytes }) => sum + bytes, 0) - MAX_BYTES_TOGETHER;
    for (const { entry, dir, bytes } of logs.toSorted((a, b) => a.changedAt - b.changedAt)) {
      if (excess <= 0) return;
      if (entry.opened) continue;
      removeRequestFile(dir);
      excess -= bytes;
    }
  }

  async #purge(): Promise<void> {
    const { listEntries, inTurn, log } = this.#deps;
    for (const entry of listEntries()) {
      if (this.#isStopped) return;
      await inTurn(() => this.#purgeOne(entry)).catch((error: unknown) => {
        log.warn({ err: error, sandbox: entry.name }, "a sandbox's request log cannot be purged");
      });
    }
    await inTurn(async () => this.limit()).catch((error: unknown) => {
      log.warn({ err: error }, "the sandboxes' request logs cannot be limited");
    });
  }

  async #purgeOne(entry: LoggedSandbox): Promise<void> {
    if (this.#isStopped || entry.opened || entry.isRemoved) return;
    const { files, machineClock } = this.#deps;
    await purgeRequestFile(files.dirOf(entry.name), machineClock.now());
  }
}
