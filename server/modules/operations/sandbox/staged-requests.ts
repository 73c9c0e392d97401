import type { FastifyReply, FastifyRequest } from "fastify";
import { FAMILIES, FAMILY_FACTS } from "../../../contract/pos/families.ts";
import { Problem } from "../../../contract/problem.ts";
import { type App, clientOf } from "../../../http/app-types.ts";
import type { Sandbox } from "./sandbox.ts";

const SCENARIO_HEADER = "X-Sandbox-Scenario";

const PURCHASES: ReadonlySet<string> = new Set(
  FAMILIES.map((family) => `/v1/${FAMILY_FACTS[family].path}/purchases`),
);

interface PurchaseBody {
  transactionId: string;
  validateOnly?: boolean;
}

const FAULT_CODES = {
  429: "RATE_LIMITED",
  500: "INTERNAL_ERROR",
  503: "SYSTEM_UNAVAILABLE",
} as const;

export function stageRequests(app: App, sandbox: Sandbox): void {
  const { scenarios, faults } = sandbox;
  const isOwn = ({ client }: FastifyRequest) => client?.keyId === sandbox.access?.keyId;
  const ends = new WeakMap<FastifyRequest, (isAccepted: boolean) => void>();

  app.addHook("preParsing", async (request, reply) => {
    if (!isOwn(request)) return;
    await faults.delay();
    const { status } = faults.settings;
    if (status !== undefined) throw toProblem(status, reply);
  });

  app.addHook("preHandler", async (request) => {
    if (!isOwn(request) || !isPurchase(request)) return;
    const { transactionId, validateOnly } = request.body as PurchaseBody;
    if (validateOnly === true) return;
    const purchase = { ...clientOf(request), transactionId };
    const name = request.headers[SCENARIO_HEADER.toLowerCase()]?.toString();
    ends.set(request, await scenarios.assign(purchase, name, SCENARIO_HEADER));
  });

  app.addHook("onSend", async (request, reply) => {
    const isAccepted = reply.statusCode === 200;
    const end = ends.get(request);
    ends.delete(request);
    end?.(isAccepted);
    if (isAccepted && end && faults.settings.resetAfterAccept) {
      request.raw.socket.resetAndDestroy();
    }
  });
}

/** Refuses the header of a scenario outside a sandbox, where it would be ignored silently. */
export function refuseScenarios(app: App): void {
  app.addHook("preParsing", async ({ headers }) => {
    if (headers[SCENARIO_HEADER.toLowerCase()] === undefined) return;
    throw new Problem("INVALID_REQUEST", `${SCENARIO_HEADER} needs the key of a sandbox.`, {
      [SCENARIO_HEADER]: "is allowed only in a sandbox",
    });
  });
}

function isPurchase({ method, routeOptions }: FastifyRequest): boolean {
  return method === "POST" && PURCHASES.has(routeOptions.url ?? "");
}

function toProblem(status: keyof typeof FAULT_CODES, reply: FastifyReply): Problem {
  if (status !== 500) reply.header("retry-after", 1);
  return new Problem(FAULT_CODES[status], "The sandbox was told to answer so.");
}
