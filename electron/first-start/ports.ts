import { once } from "node:events";
import { createServer } from "node:net";

/** The ports after one's own that a till may take. */
const TRIED = 20;
const ANSWER_TIMEOUT_MS = 2000;

/** Whether a gateway could listen there. */
export async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** @returns undefined where all of them are taken */
export async function nextFree(host: string, after: number): Promise<number | undefined> {
  for (let port = after + 1; port <= after + TRIED; port++) {
    if (await isFree(host, port)) return port;
  }
  return undefined;
}

/** The shop of the Tillgate that listens there; undefined where it is another program, or does not answer. */
export async function findTillgate(host: string, port: number): Promise<string | undefined> {
  try {
    const answer = await fetch(`http://${host}:${port}/pos/status`, {
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      redirect: "error",
    });
    const status = (await answer.json()) as { setUp?: unknown; shopName?: unknown };
    if (typeof status.setUp !== "boolean") return undefined;
    return typeof status.shopName === "string" ? status.shopName.slice(0, 80) : "Tillgate";
  } catch {
    return undefined;
  }
}
