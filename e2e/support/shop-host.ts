/**
 * Runs gateways for end-to-end tests. Each Playwright worker has one host process, which loads the
 * program once and opens a gateway for each test's data directory. Killing the process simulates a
 * power cut.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkConfig, createGateway, type Gateway } from "../../server/index.ts";
import { PROGRAM_DIR } from "../../server/program.ts";
import { startOnKeptThread } from "../../server/testing/kept-threads.ts";

/** Cost of PIN hashes. Low, because end-to-end tests enter many PINs. */
const PIN_COST = 4;

interface Order {
  readonly id: number;
  readonly dataDir: string;
  /**
   * Port to listen on; 0 chooses a free port, undefined closes the gateway of the data directory.
   */
  readonly port: number | undefined;
}

interface Answer {
  readonly id: number;
  readonly url?: string;
  readonly error?: string;
}

let host: ChildProcess | undefined;
let lastId = 0;
const waiting = new Map<number, (answer: Answer) => void>();

function getHost(): ChildProcess {
  if (host !== undefined) return host;
  const child = fork(fileURLToPath(import.meta.url), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.on("message", (answer: Answer) => waiting.get(answer.id)?.(answer));
  child.once("exit", () => {
    host = host === child ? undefined : host;
    for (const [id, settle] of waiting) settle({ id, error: "the host of the gateways ended" });
  });
  // Lets the worker end while its host runs.
  child.unref();
  child.channel?.unref();
  host = child;
  return child;
}

async function send(order: Omit<Order, "id">): Promise<string> {
  const child = getHost();
  const id = ++lastId;
  child.channel?.ref();
  const answer = await new Promise<Answer>((resolve) => {
    waiting.set(id, resolve);
    child.send({ id, ...order });
  });
  waiting.delete(id);
  if (waiting.size === 0) child.channel?.unref();
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer.url ?? "";
}

export function openHosted(dataDir: string, port = 0): Promise<string> {
  return send({ dataDir, port });
}

export async function closeHosted(dataDir: string): Promise<void> {
  await send({ dataDir, port: undefined });
}

export async function killHosted(): Promise<void> {
  const child = host;
  if (child === undefined) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

const gateways = new Map<string, Gateway>();

async function carryOut({ dataDir, port }: Order): Promise<string | undefined> {
  if (port === undefined) {
    await gateways.get(dataDir)?.close();
    gateways.delete(dataDir);
    return undefined;
  }
  const gateway = await createGateway(
    checkConfig({
      dataDir,
      port,
      rendererDir: join(PROGRAM_DIR, "out/renderer"),
      resourcesDir: join(PROGRAM_DIR, "resources"),
    }),
    { pinCost: PIN_COST, startErrand: startOnKeptThread },
  );
  gateways.set(dataDir, gateway);
  const { url } = await gateway.listen();
  await gateway.whenChecked();
  await gateway.noteWorks();
  return url;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on("message", (order: Order) => {
    carryOut(order).then(
      (url) => process.send?.({ id: order.id, url }),
      (error: unknown) => process.send?.({ id: order.id, error: String(error) }),
    );
  });
  process.on("disconnect", () => process.exit(0));
}
