import { monitorEventLoopDelay } from "node:perf_hooks";
import { Gauge, Histogram, Registry } from "@prometheus-io/client";
import { Type } from "typebox";
import { ENVIRONMENTS, TRANSACTION_STATUSES } from "../../../contract/common.ts";
import { Problem } from "../../../contract/problem.ts";
import type { FileCheck } from "../../../db/file-check.ts";
import type { App } from "../../../http/app-types.ts";
import { SECOND } from "../../../lib/clock.ts";
import { isFinal } from "../../books/transactions/index.ts";
import type { Base, Module } from "../../module.ts";
import type { BackupService } from "../../safety/backups/index.ts";
import type { StorageService } from "../../safety/storage/index.ts";
import type { UpdateService } from "../../safety/updates/index.ts";
import { type Figures, isMetricsToken, MonitoringService } from "./monitoring-service.ts";

const NANOSECONDS = 1_000_000_000;
const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

class Metrics {
  readonly registry = new Registry();
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });
  readonly #answers = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's arrival to its answer, by route",
    labelNames: ["method", "route", "status_code"] as const,
    buckets: BUCKETS_S,
    registers: [this.registry],
  });
  readonly #unfinished = this.#createGauge(
    "tillgate_transactions_unfinished",
    "Transactions that are not finished, by status",
    ["environment", "status"],
  );
  readonly #unfinishedAge = this.#createGauge(
    "tillgate_transactions_unfinished_oldest_seconds",
    "Age of the oldest transaction that is not finished, by status",
    ["environment", "status"],
  );
  readonly #finished = this.#createGauge(
    "tillgate_transactions_finished_24h",
    "Transactions that finished within the last 24 hours, by status",
    ["environment", "status"],
  );
  readonly #toReconcile = this.#createGauge(
    "tillgate_reconciliation_open",
    "Transactions whose outcome the owner must ask the provider for and settle",
    ["environment"],
  );
  readonly #jobs = this.#createGauge("tillgate_jobs", "Jobs that wait or run, by kind", ["kind"]);
  readonly #jobsDue = this.#createGauge("tillgate_jobs_due", "Jobs that are due, by kind", [
    "kind",
  ]);
  readonly #jobsAge = this.#createGauge(
    "tillgate_jobs_due_oldest_seconds",
    "For how long the first due job has been due, by kind",
    ["kind"],
  );
  readonly #available = this.#createGauge(
    "tillgate_wallet_available_minor",
    "What can be spent, in minor units",
    ["environment", "currency"],
  );
  readonly #held = this.#createGauge(
    "tillgate_wallet_held_minor",
    "What is held for purchases under way, in minor units",
    ["environment", "currency"],
  );
  readonly #backups = this.#createGauge("tillgate_backups", "Backups that are kept");
  readonly #backupAge = this.#createGauge(
    "tillgate_backup_age_seconds",
    "Age of the newest backup; absent while there is none",
    ["which"],
  );
  readonly #backupFailed = this.#createGauge(
    "tillgate_backup_failed",
    "1 while the last attempt at a backup failed",
  );
  readonly #writable = this.#createGauge(
    "tillgate_database_writable",
    "1 while the last write succeeded",
  );
  readonly #findings = this.#createGauge(
    "tillgate_storage_findings",
    "1 while the books are not in order (books), or what was committed is missing (missing)",
    ["kind"],
  );
  readonly #newer = this.#createGauge(
    "tillgate_update_available",
    "1 while the feed of updates names a newer version than this",
  );
  readonly #lagMean = this.#createGauge(
    "tillgate_event_loop_lag_mean_seconds",
    "Mean delay of the event loop since the last scrape",
  );
  readonly #lagMax = this.#createGauge(
    "tillgate_event_loop_lag_max_seconds",
    "Largest delay of the event loop since the last scrape",
  );
  readonly #memory = this.#createGauge("process_resident_memory_bytes", "Resident memory");

  constructor() {
    this.#delay.enable();
  }

  async render(figures: Figures): Promise<string> {
    this.#fill(figures);
    return this.registry.metrics();
  }

  noteAnswer(
    labels: { method: string; route: string; status_code: number },
    after_ms: number,
  ): void {
    this.#answers.observe(labels, after_ms / SECOND);
  }

  stop(): void {
    this.#delay.disable();
  }

  #fill(figures: Figures): void {
    const { unfinished, finished, toReconcile, jobs, kinds, wallets, backups, storage } = figures;
    for (const gauge of [this.#unfinished, this.#unfinishedAge, this.#finished]) gauge.reset();
    for (const gauge of [this.#jobs, this.#jobsDue, this.#jobsAge, this.#backupAge]) gauge.reset();
    this.#fillZeros(kinds);
    for (const { environment, status, count, oldestAge_s } of unfinished) {
      this.#unfinished.set({ environment, status }, count);
      this.#unfinishedAge.set({ environment, status }, oldestAge_s);
    }
    for (const { environment, status, count } of finished) {
      this.#finished.set({ environment, status }, count);
    }
    for (const environment of ENVIRONMENTS) {
      const open = toReconcile.find((each) => each.environment === environment);
      this.#toReconcile.set({ environment }, open?.count ?? 0);
    }
    for (const { kind, count, due, oldestAge_s } of jobs) {
      this.#jobs.set({ kind }, count);
      this.#jobsDue.set({ kind }, due);
      this.#jobsAge.set({ kind }, oldestAge_s);
    }
    for (const { environment, currency, available, held } of wallets) {
      this.#available.set({ environment, currency }, available);
      this.#held.set({ environment, currency }, held);
    }
    this.#backups.set(backups.count);
    if (backups.newestAge_s !== undefined) {
      this.#backupAge.set({ which: "newest" }, backups.newestAge_s);
    }
    this.#backupFailed.set(backups.failure === undefined ? 0 : 1);
    this.#writable.set(storage.fault === undefined ? 1 : 0);
    for (const kind of ["BOOKS", "MISSING"]) {
      const isOpen = storage.findings.some((finding) => finding.kind === kind);
      this.#findings.set({ kind: kind.toLowerCase() }, isOpen ? 1 : 0);
    }
    this.#newer.set(figures.newerVersion === undefined ? 0 : 1);
    this.#fillProcess();
  }

  /**
   * Sets series without a value to 0. A series that disappears has no rate and cannot raise an
   * alarm.
   */
  #fillZeros(kinds: string[]): void {
    for (const environment of ENVIRONMENTS) {
      for (const status of TRANSACTION_STATUSES) {
        const gauges = isFinal(status) ? [this.#finished] : [this.#unfinished, this.#unfinishedAge];
        for (const gauge of gauges) gauge.set({ environment, status }, 0);
      }
    }
    for (const kind of kinds) {
      for (const gauge of [this.#jobs, this.#jobsDue, this.#jobsAge]) gauge.set({ kind }, 0);
    }
  }

  #fillProcess(): void {
    const { mean, max } = this.#delay;
    // The delay is NaN before the first measurement.
    this.#lagMean.set(Number.isNaN(mean) ? 0 : mean / NANOSECONDS);
    this.#lagMax.set(max / NANOSECONDS);
    this.#delay.reset();
    this.#memory.set(process.memoryUsage.rss());
  }

  #createGauge(name: string, help: string, labelNames: string[] = []): Gauge<string> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
}

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
