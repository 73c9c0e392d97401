import { Type } from "typebox";
import { Problem } from "../../../contract/problem.ts";
import type { FileCheck } from "../../../db/file-check.ts";
import type { App } from "../../../http/app-types.ts";
import type { Base, Module } from "../../module.ts";
import type { BackupService } from "../../safety/backups/index.ts";
import type { StorageService } from "../../safety/storage/index.ts";
import type { UpdateService } from "../../safety/updates/index.ts";
import { Metrics } from "./metrics.ts";
import { isMetricsToken, MonitoringService } from "./monitoring-service.ts";

export {
  createMetricsToken,
  type Figures,
  type MonitoringService,
  revokeMetricsToken,
} from "./monitoring-service.ts";

type MonitoringModuleDeps = Base & {
  check: FileCheck;
  backups: BackupService;
  storage: StorageService;
  updates: UpdateService;
  readFreeBytes(): Promise<number | undefined>;
};

export function createMonitoringModule(deps: MonitoringModuleDeps) {
  const monitoring = new MonitoringService(deps);
  let metrics: Metrics | undefined;
  const findMetrics = () => {
    metrics ??= new Metrics();
    return metrics;
  };
  return {
    services: { monitoring },
    everywhere: (app) => measureAnswers(app, findMetrics()),
    root: (app) =>
      registerMonitoring(app, {
        monitoring,
        metrics: findMetrics(),
        dataDir: deps.config.dataDir,
      }),
    stop: () => metrics?.stop(),
  } satisfies Module;
}

interface MonitoringRoutesDeps {
  monitoring: MonitoringService;
  metrics: Metrics;
  dataDir: string;
}

const BEARER = /^Bearer ([\x21-\x7e]{1,256})$/i;

const State = Type.Object({ status: Type.String() });
const Readiness = Type.Object({
  status: Type.String(),
  version: Type.String({ description: "The program's" }),
  books: Type.String({ description: "What the audit since the start has found" }),
  missing: Type.Boolean({ description: "Whether the database lacks what was committed" }),
});

function measureAnswers(app: App, metrics: Metrics): void {
  app.addHook("onResponse", (request, reply, done) => {
    const { method, routeOptions } = request;
    // Unknown addresses are not counted, because each would create a series of its own.
    if (routeOptions.url !== undefined) {
      const labels = { method, route: routeOptions.url, status_code: reply.statusCode };
      metrics.noteAnswer(labels, reply.elapsedTime);
    }
    done();
  });
}

function registerMonitoring(
  app: App,
  { monitoring, metrics, dataDir }: MonitoringRoutesDeps,
): void {
  app.get("/healthz", { schema: { response: { 200: State } } }, async () => ({ status: "alive" }));

  app.get("/readyz", { schema: { response: { 200: Readiness } } }, async () => {
    const { books, findings } = await monitoring.requireReady();
    const missing = findings.some(({ kind }) => kind === "MISSING");
    return { status: "ready", version: monitoring.version, books, missing };
  });

  app.get("/metrics", async (request, reply) => {
    const token = BEARER.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined || !(await isMetricsToken(dataDir, token))) {
      throw new Problem(
        "NOT_AUTHORIZED",
        "Only the token that «tillgate metrics token» makes may read this.",
      );
    }
    const text = await metrics.render(await monitoring.getFigures());
    return reply.type(metrics.registry.contentType).send(text);
  });
}
