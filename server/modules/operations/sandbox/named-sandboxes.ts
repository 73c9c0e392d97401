import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Author } from "../../../contract/pos/actor.ts";
import type {
  RequestDetails,
  RequestLogPage,
  SandboxRequestQuery,
} from "../../../contract/pos/request-log.ts";
import type { Sandbox, SandboxDeliveryQuery } from "../../../contract/pos/sandboxes.ts";
import type { WebhookDeliveryPage } from "../../../contract/pos/webhooks.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Balance } from "../../../contract/v1/balance.ts";
import type { AdvanceInput, Speed } from "../../../contract/v1/sandbox.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { type AuditDetail, recordAudit } from "../../books/audit-trail/index.ts";
import { createSecret } from "../../messages/webhooks/index.ts";
import type { Base } from "../../module.ts";
import type { ClockState } from "./clock-service.ts";
import { readStoredClock } from "./sandbox-clock.ts";
import { SandboxFiles, type StoredSandbox } from "./sandbox-files.ts";
import { type OpenBy, type OpenSandbox, SandboxEntry, SandboxPool } from "./sandbox-pool.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,39}$/;
const NAME_RULE = "must be 1 to 40 letters, digits and hyphens, and start with a letter or digit";
const MAX_SANDBOXES = 200;

/** Prefix of sandbox keys. Other keys are never looked up among the sandboxes. */
const KEY_PREFIX = "sandbox_";
const BEARER = /^Bearer +(sandbox_[\x21-\x7e]{1,248}) *$/i;
const KEY_BYTES = 32;
const HINT_LENGTH = KEY_PREFIX.length + 5;

interface CreateOptions {
  /** Balance in minor units; undefined for that of a new test wallet. */
  wallet?: number;
  /** Whether the sandbox's webhooks may go to private addresses. */
  allowPrivate?: boolean;
}

interface CreatedSandbox {
  name: string;
  key: string;
  webhookSecret: string;
}

/** Facts that a reset keeps. */
type GivenFacts = Pick<
  StoredSandbox,
  "createdAt" | "keyHash" | "keyHint" | "webhookSecret" | "allowPrivate" | "wallet"
>;

type Enter = (request: IncomingMessage, response: ServerResponse) => void;

/** Manages the named sandboxes of this gateway (docs/decisions/0099). */
export class NamedSandboxes {
  readonly #deps: Base;
  readonly #files: SandboxFiles;
  readonly #pool: SandboxPool;
  /** By name in lower case, because some file systems ignore case. */
  readonly #entries = new Map<string, SandboxEntry>();
  readonly #byKey = new Map<string, SandboxEntry>();
  /** Names in lower case of sandboxes whose reset or deletion has not ended. */
  readonly #reserved = new Set<string>();

  constructor(deps: Base) {
    this.#deps = deps;
    const files = new SandboxFiles(deps.config.dataDir);
    this.#files = files;
    const listEntries = () => [...this.#entries.values()];
    this.#pool = new SandboxPool({ ...deps, files, listEntries });
  }

  /**
   * Reads the sandboxes' directories. A broken directory is only reported.
   * @param openBy opens a sandbox's database and application
   */
  load(openBy: OpenBy): void {
    this.#pool.serveBy(openBy);
    this.#files.finishParts(this.#deps.log);
    for (const [name, facts] of this.#files.list()) {
      if (!facts) this.#deps.log.error({ sandbox: name }, "a sandbox's directory cannot be read");
      this.#add(name, facts);
    }
  }

  /** Resumes the work of an earlier process. */
  async start(): Promise<void> {
    // In turn, so that the directory of a sandbox that is being created stays.
    await this.#pool.inTurn(() => this.#files.removeParts(this.#deps.log));
    this.#pool.start();
  }

  beginStop(): void {
    this.#pool.beginStop();
  }

  stop(): Promise<void> {
    return this.#pool.stop();
  }

  /**
   * Returns the sandbox of a key in constant time, without a query.
   * @param authorization header of a request
   */
  findByKey(authorization: string | undefined): SandboxEntry | undefined {
    if (this.#byKey.size === 0 || authorization === undefined) return undefined;
    const key = BEARER.exec(authorization)?.[1];
    return key === undefined ? undefined : this.#byKey.get(hash("sha256", key));
  }

  /**
   * Returns a function that passes a request to the sandbox's application: at once if the sandbox is
   * open.
   * @throws Problem SYSTEM_UNAVAILABLE if the sandbox cannot be opened
   */
  enter(entry: SandboxEntry): Enter | Promise<Enter> {
    const release = this.#pool.hold(entry);
    const toEnter = (opened: OpenSandbox): Enter => {
      return (request, response) => {
        if (response.destroyed) return release();
        response.once("close", release);
        request.headers.authorization = `Bearer ${entry.innerKey}`;
        return opened.carryOut(request, response);
      };
    };
    if (entry.opened) return toEnter(entry.opened);
    return this.#pool.open(entry).then(toEnter, (error: unknown) => {
      release();
      throw error;
    });
  }

  list(): Sandbox[] {
    return [...this.#entries.values()]
      .map((entry) => this.#view(entry))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * @returns the key and the secret, which cannot be shown again
   * @throws Problem INVALID_REQUEST naming `name`
   */
  async create(author: Author, name: string, options: CreateOptions = {}): Promise<CreatedSandbox> {
    if (!NAME.test(name)) {
      throw refuseName(`The name "${name.slice(0, 64)}" is invalid.`, NAME_RULE);
    }
    const { ids, sealer, machineClock } = this.#deps;
    return this.#pool.inTurn(async () => {
      const lowerName = name.toLowerCase();
      if (this.#entries.has(lowerName) || this.#reserved.has(lowerName)) {
        throw refuseName(`There is already a sandbox ${name}.`, "is in use");
      }
      if (this.#entries.size + this.#reserved.size >= MAX_SANDBOXES) {
        const message = `There are ${MAX_SANDBOXES} sandboxes, which is the limit. Delete one first.`;
        throw refuseName(message, "exceeds the limit");
      }
      const key = `${KEY_PREFIX}${ids.secret(KEY_BYTES)}`;
      const webhookSecret = createSecret(ids);
      const { wallet, allowPrivate = false } = options;
      const facts = await this.#build(name, {
        createdAt: machineClock.now(),
        keyHash: hash("sha256", key),
        keyHint: key.slice(0, HINT_LENGTH),
        webhookSecret: sealer.seal(webhookSecret),
        allowPrivate,
        ...(wallet !== undefined && { wallet }),
      });
      this.#add(name, facts);
      await this.#record(author, "sandbox.create", name, allowPrivate ? { allowPrivate } : {});
      return { name, key, webhookSecret };
    });
  }

  /**
   * Removes all data, and keeps the key, the webhook secret and the initial balance. The clock shows
   * the machine's time.
   * @throws Problem NOT_FOUND
   */
  async reset(author: Author, name: string): Promise<void> {
    const entry = this.#find(name);
    const { facts } = entry;
    if (!facts) throw entry.describeBroken();
    await this.#takeOut(entry, async () => {
      this.#add(entry.name, await this.#build(entry.name, facts));
    });
    await this.#record(author, "sandbox.reset", entry.name);
  }

  /**
   * Removes the sandbox's directory. Its key is unknown from then on.
   * @throws Problem NOT_FOUND
   */
  async delete(author: Author, name: string): Promise<void> {
    const entry = this.#find(name);
    await this.#takeOut(entry, () => this.#files.remove(entry.name, this.#deps.ids.uuid()));
    await this.#record(author, "sandbox.delete", entry.name);
  }

  /** @throws Problem NOT_FOUND */
  async setSpeed(author: Author, name: string, speed: Speed): Promise<ClockState> {
    const state = await this.#use(name, ({ clock }) => clock.setSpeed(speed));
    await this.#record(author, "sandbox.change", name, { speed });
    return state;
  }

  /**
   * @param signal ends the advance at its next step
   * @throws Problem NOT_FOUND; RATE_LIMITED during another advance; INVALID_REQUEST naming the field
   */
  async advance(author: Author, name: string, input: AdvanceInput, signal?: AbortSignal) {
    const done = await this.#use(name, ({ clock }) => clock.advance(input, signal));
    await this.#record(author, "sandbox.change", name, { now: done.now });
    return done;
  }

  /**
   * @param scenario undefined to let the recipient decide
   * @throws Problem NOT_FOUND; INVALID_REQUEST naming `name`
   */
  async setScenario(author: Author, name: string, scenario: string | undefined): Promise<void> {
    await this.#use(name, async ({ sandbox }) => {
      sandbox.scenarios.set(scenario);
      await sandbox.save();
    });
    await this.#record(author, "sandbox.change", name, { scenario: scenario ?? "" });
  }

  /** @throws Problem NOT_FOUND */
  getWallet(name: string): Promise<Balance> {
    return this.#use(name, ({ wallet }) => wallet.read());
  }

  /**
   * @param available spendable balance in minor units
   * @throws Problem NOT_FOUND
   */
  async setWallet(author: Author, name: string, available: number): Promise<Balance> {
    const balance = await this.#use(name, ({ wallet }) => wallet.set(available));
    await this.#record(author, "sandbox.change", name, { available });
    return balance;
  }

  /** @throws Problem NOT_FOUND */
  listDeliveries(name: string, query: SandboxDeliveryQuery): Promise<WebhookDeliveryPage> {
    return this.#use(name, ({ listDeliveries }) => listDeliveries(query));
  }

  /** @throws Problem NOT_FOUND */
  listRequests(name: string, query: SandboxRequestQuery): Promise<RequestLogPage> {
    return this.#use(name, ({ requests }) => requests.list(query));
  }

  /** @throws Problem NOT_FOUND */
  getRequest(name: string, requestNo: number): Promise<RequestDetails> {
    return this.#use(name, ({ requests }) => requests.get(requestNo));
  }

  #add(name: string, facts: StoredSandbox | undefined): void {
    const entry = new SandboxEntry(name, facts);
    this.#entries.set(name.toLowerCase(), entry);
    if (facts) this.#byKey.set(facts.keyHash, entry);
  }

  /** Runs work on a sandbox's directory while no request reaches the sandbox. */
  async #takeOut(entry: SandboxEntry, work: () => Promise<void>): Promise<void> {
    entry.isRemoved = true;
    entry.opened?.clock.close();
    if (entry.facts) this.#byKey.delete(entry.facts.keyHash);
    const lowerName = entry.name.toLowerCase();
    this.#entries.delete(lowerName);
    this.#reserved.add(lowerName);
    await entry.whenUnused();
    await this.#pool.inTurn(async () => {
      try {
        await this.#pool.close(entry);
        await work();
      } catch (error) {
        this.#add(entry.name, this.#files.read(this.#files.dirOf(entry.name)));
        throw error;
      } finally {
        this.#reserved.delete(lowerName);
      }
    });
  }

  #find(name: string): SandboxEntry {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry) return entry;
    throw new Problem("NOT_FOUND", `There is no sandbox ${name.slice(0, 64)}.`);
  }

  #view({ name, facts, isBroken, opened, isClosing }: SandboxEntry): Sandbox {
    if (!facts) return { name, state: "BROKEN" };
    const { clock, scenario } = opened?.sandbox.state ?? facts.state;
    const openState = opened || isClosing ? "OPEN" : "CLOSED";
    return {
      name,
      state: isBroken ? "BROKEN" : openState,
      createdAt: toTimestamp(facts.createdAt),
      keyHint: facts.keyHint,
      now: toTimestamp(readStoredClock(clock, this.#deps.machineClock)),
      speed: clock.speed,
      ...(scenario !== undefined && { scenario }),
    };
  }

  async #use<Result>(name: string, work: (opened: OpenSandbox) => Promise<Result>) {
    const entry = this.#find(name);
    const release = this.#pool.hold(entry);
    try {
      return await work(entry.opened ?? (await this.#pool.open(entry)));
    } finally {
      release();
    }
  }

  /** Creates a sandbox's directory with a new database, in place of an earlier one. */
  async #build(name: string, given: GivenFacts): Promise<StoredSandbox> {
    const part = this.#files.partDir(this.#deps.ids.uuid());
    try {
      return await this.#buildPart(part, name, given);
    } catch (error) {
      await this.#files.removePart(part, this.#deps.log);
      throw error;
    }
  }

  async #buildPart(part: string, name: string, given: GivenFacts): Promise<StoredSandbox> {
    const { ids, sealer } = this.#deps;
    const opened = await this.#pool.openPart(name, part);
    const { keyId, key } = await createKey(opened, name, given.wallet);
    const { createdAt, keyHash, keyHint, webhookSecret, allowPrivate = false, wallet } = given;
    const facts: StoredSandbox = {
      name,
      createdAt,
      keyHash,
      keyHint,
      innerKey: sealer.seal(key),
      keyId,
      webhookSecret,
      allowPrivate,
      ...(wallet !== undefined && { wallet }),
      isResumed: false,
      state: opened.sandbox.state,
    };
    await this.#files.write(part, facts);
    await this.#files.place(part, name, ids.uuid());
    return facts;
  }

  async #record(
    { accountId, staffId }: Author,
    action: "sandbox.create" | "sandbox.change" | "sandbox.reset" | "sandbox.delete",
    name: string,
    detail: AuditDetail = {},
  ): Promise<void> {
    const { transactor, clock } = this.#deps;
    const entry = { accountId, staffId, action, subject: name, detail, at: clock.now() };
    await transactor.transact(accountId, (tx) => recordAudit(tx, entry));
  }
}

/** Creates the key of a sandbox, and closes the sandbox. */
async function createKey(opened: OpenSandbox, name: string, wallet: number | undefined) {
  try {
    return await opened.createKey(name, wallet);
  } finally {
    await opened.close();
  }
}

function refuseName(message: string, rule: string): Problem {
  return new Problem("INVALID_REQUEST", message, { name: rule });
}
