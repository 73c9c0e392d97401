import { readdir } from "node:fs/promises";
import { arch, platform, release, totalmem } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import type { Author } from "../../../contract/pos/actor.ts";
import type { SupportFile } from "../../../contract/pos/support.ts";
import type { Db } from "../../../db/database.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base, Module } from "../../module.ts";
import { describeNetwork } from "../../shop/reach/index.ts";
import type { MonitoringService } from "../monitoring/index.ts";
import { createRedaction, type LogToRedact } from "./redacted-log.ts";

type SupportModuleDeps = Base & SupportDeps & { config: { host: string; port: number } };

export function createSupportModule(deps: SupportModuleDeps) {
  return {
    services: {},
    pos: (app) => registerSupportRoutes(app, deps),
  } satisfies Module;
}

async function registerSupportRoutes(app: App, deps: SupportModuleDeps): Promise<void> {
  const { supportOperations } = await import("../../../contract/pos/support.ts");
  handle(app, supportOperations.getNetwork, ({ request }) => {
    const { host, port } = deps.config;
    return describeNetwork(host, request.socket.localPort ?? port);
  });

  handle(app, supportOperations.makeFile, ({ actor: { accountId, staffId } }) =>
    makeSupportFile(deps, { accountId, staffId }),
  );
}

const FILES_SENT = 2;
const BYTES_OF_EACH = 512 * 1024;

interface SupportDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  version: string;
  config: { logFile: string | undefined };
  monitoring: MonitoringService;
  background: { run(task: "redactLog", of: LogToRedact): Promise<string> };
}

/** Creates a text for diagnosing an error, without names, numbers, PINs and keys. */
async function makeSupportFile(deps: SupportDeps, author: Author): Promise<SupportFile> {
  const { db, transactor, clock, version, config, monitoring, background } = deps;
  const at = clock.now();
  const names = await listNames(db, author.accountId);
  const { wallets: _wallets, ...figures } = await monitoring.getFigures();
  const facts = {
    tillgate: version,
    madeAt: toTimestamp(at),
    node: process.version,
    system: `${platform()} ${arch()} ${release()}`,
    memory: `${Math.round(totalmem() / 2 ** 20)} MiB`,
    figures: createRedaction(names).redactFields(figures),
  };
  const files = await listLogFiles(config.logFile);
  const log = await background.run("redactLog", { files, bytes: BYTES_OF_EACH, names });
  const { accountId, staffId } = author;
  await transactor.transact(accountId, (tx) =>
    recordAudit(tx, { accountId, staffId, action: "support.file", subject: accountId, at }),
  );
  const day = toTimestamp(at).slice(0, 10);
  return {
    name: `tillgate-support-${day}.txt`,
    text: `${JSON.stringify(facts, null, 2)}\n\n${log}\n`,
  };
}

async function listLogFiles(path: string | undefined): Promise<string[]> {
  if (path === undefined) return [];
  const extension = extname(path) || ".log";
  const base = basename(path, extname(path));
  const found = await readdir(dirname(path)).catch(() => []);
  return found
    .flatMap((name) => {
      const isOurs = name.startsWith(`${base}.`) && name.endsWith(extension);
      const number = isOurs ? name.slice(base.length + 1, -extension.length) : "";
      return /^\d+$/.test(number) ? [{ name, number: Number(number) }] : [];
    })
    .toSorted((a, b) => a.number - b.number)
    .slice(-FILES_SENT)
    .map(({ name }) => join(dirname(path), name));
}

async function listNames(db: Db, accountId: string): Promise<string[]> {
  const of = (table: "staff" | "shops" | "printers" | "api_keys" | "favourites") =>
    db.selectFrom(table).select("name").where("account_id", "=", accountId).execute();
  const lists = await Promise.all([
    of("staff"),
    of("shops"),
    of("printers"),
    of("api_keys"),
    of("favourites"),
  ]);
  return [...new Set(lists.flat().map(({ name }) => name))];
}
