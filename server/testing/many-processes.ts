import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OWN_PIN_HEADER } from "../contract/pos/operation.ts";
import { PROGRAM_DIR } from "../program.ts";
import { type CountingProvider, startCountingProvider } from "./counting-provider.ts";
import { type Finished, runProgram } from "./run-program.ts";
import { followSales, type Sale, type SalesFollower, type Session } from "./sales-follower.ts";
import { type ServerProcess, startProgram } from "./server-process.ts";
import { makeShopOfProcesses } from "./shop-of-processes.ts";
import { type Random, testRandom } from "./simulation/random.ts";
import type { Answer, CallInit } from "./test-gateway.ts";
import { OWNER_PIN } from "./test-till.ts";
import { nextPoll } from "./until.ts";
import { type Receiver, startReceiver } from "./webhook-receiver.ts";

const GIVEN_PIN = "739154";
const SETUP = {
  shopName: "Corner Shop",
  currency: "USD",
  language: "en",
  ownerName: "Olga",
  ownerPin: OWNER_PIN,
};

interface OpenOptions {
  count?: number;
  funds?: number;
}

export class ManyProcesses {
  readonly provider: CountingProvider;
  readonly receiver: Receiver;
  readonly random: Random;
  readonly processes: (ServerProcess | undefined)[];
  programDir = PROGRAM_DIR;
  readonly #dirs: readonly string[];
  readonly #root: string;
  readonly #database: string;
  #key = "";
  #owner: Session | undefined;
  #follower: SalesFollower | undefined;
  #isClosed = false;

  private constructor(root: string, database: string, count: number, means: Means) {
    this.#root = root;
    this.#database = database;
    this.#dirs = Array.from({ length: count }, (_, n) => join(root, `machine-${n}`));
    this.processes = this.#dirs.map(() => undefined);
    this.random = means.random;
    this.provider = means.provider;
    this.receiver = means.receiver;
  }

  /** @param database address of an empty database */
  static async open(database: string, { count = 3, funds }: OpenOptions = {}) {
    const root = mkdtempSync(join(tmpdir(), "tillgate-processes-"));
    const random = testRandom(20_261_126);
    const provider = await startCountingProvider(random);
    const receiver = await startReceiver();
    const shop = new ManyProcesses(root, database, count, { random, provider, receiver });
    const outside = { provider: provider.url, receiver: receiver.url };
    shop.#key = await makeShopOfProcesses(database, shop.#dirs, { ...outside, funds });
    await Promise.all(shop.#dirs.map((_, n) => shop.start(n)));
    shop.#owner = await shop.#openShift(await shop.call("POST", "/pos/setup", { body: SETUP }));
    return shop;
  }

  get owner(): Session {
    if (!this.#owner) throw new Error("the shop is not set up");
    return this.#owner;
  }

  async signIn(staffId: string, pin: string): Promise<Session> {
    return this.#openShift(
      await this.call("POST", "/pos/session", { body: { staffId, pin }, headers: { cookie: "" } }),
    );
  }

  /** @returns the person's id */
  async hire({ pin, ...person }: { name: string; role: string; pin: string }): Promise<string> {
    const added = await this.call("POST", "/pos/staff", { body: { ...person, pin: GIVEN_PIN } });
    const { staffId } = added.body;
    const body = { staffId, pin: GIVEN_PIN, newPin: pin };
    await this.call("POST", "/pos/session", { body, headers: { cookie: "" } });
    return staffId;
  }

  async #openShift({ headers, body }: Answer): Promise<Session> {
    const cookie = headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
    const shiftId = crypto.randomUUID();
    const shift = { headers: { cookie }, body: { shiftId, float: 0 } };
    await this.call("POST", "/pos/shifts", shift);
    return { staffId: body.staff.staffId, cookie, shiftId };
  }

  async start(n: number): Promise<void> {
    this.processes[n] = await startProgram(join(this.programDir, "server/main.ts"), {
      args: ["--data", this.#dirs[n] ?? "", "--port", "0"],
      env: { TILLGATE_DATABASE: this.#database },
    });
  }

  async end(n: number, signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const process = this.processes[n];
    this.processes[n] = undefined;
    return (await process?.kill(signal)) ?? null;
  }

  /**
   * Calls a process, as the owner unless a cookie is passed, and with the shop's key for `/v1`.
   * @returns undefined if the process died before its answer
   */
  async #ask(
    n: number,
    method: string,
    path: string,
    { body, headers }: CallInit = {},
  ): Promise<Answer | undefined> {
    const url = this.processes[n]?.url;
    if (url === undefined) return undefined;
    const as = path.startsWith("/v1")
      ? { authorization: `Bearer ${this.#key}` }
      : { cookie: this.#owner?.cookie ?? "", [OWN_PIN_HEADER]: SETUP.ownerPin };
    const type = body !== undefined && { "content-type": "application/json" };
    try {
      const response = await fetch(url + path, {
        method,
        headers: { ...as, ...type, ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return {
        status: response.status,
        headers: response.headers,
        body: response.status === 204 ? undefined : await response.json(),
      };
    } catch {
      return undefined;
    }
  }

  /**
   * Calls a random process. If the process dies before its answer, repeats the call at a random
   * process.
   * @throws Error if the shop is closed
   */
  async call(method: string, path: string, init?: CallInit): Promise<Answer> {
    while (!this.#isClosed) {
      const n = this.random.integer(0, this.processes.length - 1);
      const answer = await this.#ask(n, method, path, init);
      if (answer && answer.status < 500 && answer.status !== 429) return answer;
      await nextPoll();
    }
    throw new Error(`the shop was closed before it has answered ${path}`);
  }

  /** @throws Error if a process does not answer */
  async askEach(method: string, path: string, init?: CallInit): Promise<Answer[]> {
    const answers = this.processes.map((_, n) => this.askOne(n, method, path, init));
    return Promise.all(answers);
  }

  /** @throws Error if the process does not answer */
  async askOne(n: number, method: string, path: string, init?: CallInit): Promise<Answer> {
    const answer = await this.#ask(n % this.processes.length, method, path, init);
    if (!answer) throw new Error(`process ${n} has not answered ${path}`);
    return answer;
  }

  /** @throws Error if the status is not 200 */
  async get<Body>(path: string): Promise<Body> {
    const { status, body } = await this.call("GET", path);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body as Body;
  }

  async listSales(): Promise<Sale[]> {
    const all: Sale[] = [];
    for (;;) {
      const { list } = await this.get<{ list: Sale[] }>(`/pos/sales?limit=50&offset=${all.length}`);
      all.push(...list);
      if (list.length < 50) return all;
    }
  }

  follow(): void {
    this.#follower = followSales(this);
  }

  get followed(): ReadonlySet<string> {
    return this.#follower?.delivered ?? new Set();
  }

  command(...args: string[]): Promise<Finished> {
    const env = { TILLGATE_DATABASE: this.#database, TILLGATE_DATA: this.#dirs[0] ?? "" };
    return runProgram("admin/tillgate.ts", args, { env, programDir: this.programDir });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const followed = this.#follower?.end();
    for (const n of this.processes.keys()) await this.end(n, "SIGKILL");
    await followed;
    await this.provider.close();
    await this.receiver.close();
    rmSync(this.#root, { recursive: true, force: true });
  }
}

interface Means {
  random: Random;
  provider: CountingProvider;
  receiver: Receiver;
}
