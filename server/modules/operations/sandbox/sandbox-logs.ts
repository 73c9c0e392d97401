import { measureRequestFile, removeRequestFile } from "../../../db/sqlite/request-file.ts";
import { DAY } from "../../../lib/clock.ts";
import type { Base } from "../../module.ts";
import { purgeRequestFile } from "../request-log/index.ts";
import type { SandboxFiles } from "./sandbox-files.ts";

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
