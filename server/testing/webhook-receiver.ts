import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestGateway } from "./test-gateway.ts";

/** Behaviour of a receiver: a status, a failure, or a function that responds. */
export type Behaviour = number | "hang" | "reset" | "huge" | ((response: ServerResponse) => void);

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  readonly ids: (string | undefined)[];
  readonly heads: IncomingHttpHeaders[];
  /** Number of POSTs that the receiver deliberately never answers. */
  readonly held: number;
  /**
   * Sets the behaviour for each of the next POSTs. The last behaviour also applies to all later
   * POSTs.
   */
  behave(...behaviours: Behaviour[]): void;
  answerHead(behaviour: number | "hang"): void;
  close(): Promise<void>;
}

const HUGE = Buffer.alloc(10 * 2 ** 20, "x");

/**
 * Starts a receiver. The gateway's `settle` then waits for every POST that the receiver answers.
 */
export async function startReceiver(till?: TestGateway): Promise<Receiver> {
  const received: Received[] = [];
  const heads: IncomingHttpHeaders[] = [];
  let behaviours: Behaviour[] = [200];
  let head: number | "hang" = 200;
  let held = 0;

  function answer(response: ServerResponse, behaviour: Behaviour): void {
    if (typeof behaviour === "function") behaviour(response);
    else if (typeof behaviour === "number") response.writeHead(behaviour).end(`said ${behaviour}`);
    else if (behaviour === "reset") response.socket?.resetAndDestroy();
    else if (behaviour === "huge") response.end(HUGE);
    else {
      held += 1;
      response.on("close", () => {
        held -= 1;
      });
    }
  }

  const server = createServer((request, response) => {
    response.on("error", () => {});
    if (request.method === "HEAD") {
      heads.push(request.headers);
      if (head !== "hang") response.writeHead(head).end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on("error", () => {});
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url = "", headers } = request;
      received.push({ path: url, headers, body: Buffer.concat(chunks).toString("utf8") });
      const behaviour = behaviours.length > 1 ? behaviours.shift() : behaviours[0];
      answer(response, behaviour ?? 200);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    heads,
    get ids() {
      return received.map(({ headers }) => headers["webhook-id"]?.toString());
    },
    get held() {
      return held;
    },
    behave(...next) {
      behaviours = next;
    },
    answerHead(behaviour) {
      head = behaviour;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  till?.outside.add(receiver);
  return receiver;
}
