/** What rules.test.ts plants: a small healthy tree, and the faults each rule must find. */

/** One file per part and layer, shaped as the real ones. */
export const HEALTHY_TREE: Readonly<Record<string, string>> = {
  ".ci/checks/banned-words.json": lines("{}"),
  ".ci/checks/function-length.json": lines("{}"),
  ".ci/checks/journey-words.json": lines("[]"),
  "docs/rules.md": lines(
    "### clock-one-door",
    "",
    "Only the clock reads the time.",
    "",
    "- Held by: `server/lib/clock.ts`",
    '- Shown by: `server/index.test.ts` "is built"',
  ),
  "electron/ipc/ipc.ts": lines(
    'import { ipcMain } from "electron";',
    "",
    "export interface IpcMessages {",
    "  print: string;",
    "}",
    "",
    "export function startIpc(): void {",
    '  ipcMain.handle("print", () => undefined);',
    "}",
  ),
  "electron/launch/start.ts": lines('console.log("start");'),
  "electron/main.ts": lines(
    'import { app } from "electron";',
    'import { createGateway } from "../server/index.ts";',
    'import { startIpc } from "./ipc/ipc.ts";',
    "",
    "startIpc();",
    "createGateway();",
    "await app.whenReady();",
  ),
  "electron/preload/preload.ts": lines(
    'import { contextBridge } from "electron";',
    "",
    'contextBridge.exposeInMainWorld("x", {});',
  ),
  "renderer/app/routes.tsx": lines(
    'import { SellPage } from "../features/sell/sell-page.tsx";',
    'import { ShiftPage } from "../features/shift/shift-page.tsx";',
    "",
    "export function Routes() {",
    "  return (",
    "    <>",
    "      <SellPage />",
    "      <ShiftPage />",
    "    </>",
    "  );",
    "}",
  ),
  "renderer/features/sell/sell-page.tsx": lines(
    'import type { IpcMessages } from "../../../electron/ipc/ipc.ts";',
    'import { Offer } from "../../../server/contract/offer.ts";',
    "",
    "export function SellPage() {",
    '  const print: IpcMessages["print"] = Offer.type;',
    "  return <p>{print}</p>;",
    "}",
  ),
  "renderer/features/shift/shift-page.tsx": lines(
    "export function ShiftPage() {",
    "  return <p>Shift</p>;",
    "}",
  ),
  "renderer/index.html": lines(
    "<!doctype html>",
    '<html lang="en"><body><div id="root"></div><script type="module" src="./main.tsx"></script></body></html>',
  ),
  "renderer/main.tsx": lines(
    'import { createRoot } from "react-dom/client";',
    'import { Routes } from "./app/routes.tsx";',
    "",
    'const root = document.getElementById("root");',
    "if (root !== null) {",
    "  createRoot(root).render(<Routes />);",
    "}",
  ),
  "server/admin/tillgate.ts": lines(
    'import { createGateway } from "../index.ts";',
    "",
    "createGateway();",
  ),
  "server/context.ts": lines(
    'import { statusOf } from "./http/error-handler.ts";',
    'import { runJobs } from "./jobs/job-runner.ts";',
    'import { getStaff } from "./modules/staff/index.ts";',
    'import type { Supplier } from "./suppliers/supplier.ts";',
    "",
    "export function createContext(supplier: Supplier): string {",
    '  return [...getStaff(), supplier.name, runJobs(), statusOf()].join(" ");',
    "}",
  ),
  "server/contract/offer.ts": lines(
    'import { Type } from "typebox";',
    "",
    "export const Offer = Type.Object({ id: Type.String() });",
  ),
  "server/db/database.ts": lines(
    'import Database from "better-sqlite3";',
    "",
    "export function openDatabase(path: string): Database.Database {",
    "  return new Database(path);",
    "}",
  ),
  "server/http/error-handler.ts": lines(
    "export function statusOf(): number {",
    "  return 500;",
    "}",
  ),
  "server/index.test.ts": lines(
    'import { expect, test } from "vitest";',
    'import { createGateway } from "./index.ts";',
    'import { fakeClock } from "./testing/fake-clock.ts";',
    "",
    'test("is built", async () => {',
    "  expect(fakeClock.now().getTime()).toBe(0);",
    "  await createGateway().close();",
    "});",
  ),
  "server/index.ts": lines(
    'import type { FastifyInstance } from "fastify";',
    'import fastify from "fastify";',
    'import { createContext } from "./context.ts";',
    'import { Offer } from "./contract/offer.ts";',
    'import { openDatabase } from "./db/database.ts";',
    'import { purchaseRoutes } from "./modules/purchases/index.ts";',
    "",
    "export function createGateway(): FastifyInstance {",
    "  const app = fastify();",
    '  openDatabase(":memory:");',
    '  app.log.info(createContext({ name: "simulator" }));',
    "  app.log.info(Offer.type);",
    "  purchaseRoutes(app);",
    "  return app;",
    "}",
  ),
  "server/jobs/job-runner.ts": lines("export function runJobs(): number {", "  return 0;", "}"),
  "server/lib/clock.ts": lines(
    "export interface Clock {",
    "  now(): Date;",
    "}",
    "",
    "export const systemClock: Clock = {",
    "  now: () => new Date(),",
    "};",
  ),
  "server/main.ts": lines(
    'import { createGateway } from "./index.ts";',
    "",
    "await createGateway().listen();",
  ),
  "server/modules/purchases/index.ts": lines(
    'export { purchaseRoutes } from "./purchase-routes.ts";',
  ),
  "server/modules/purchases/purchase-routes.ts": lines(
    'import type { FastifyInstance } from "fastify";',
    'import { systemClock } from "../../lib/clock.ts";',
    'import { getBalance } from "../wallet/index.ts";',
    "",
    "export function purchaseRoutes(app: FastifyInstance): void {",
    '  app.get("/v1/purchases", async () => ({ balance: await getBalance(systemClock) }));',
    "}",
  ),
  "server/modules/staff/index.ts": lines('export { getStaff } from "./staff-service.ts";'),
  "server/modules/staff/staff-service.ts": lines(
    "export function getStaff(): string[] {",
    "  return [];",
    "}",
  ),
  "server/modules/wallet/index.ts": lines('export { getBalance } from "./wallet-service.ts";'),
  "server/modules/wallet/wallet-service.ts": lines(
    'import type { Clock } from "../../lib/clock.ts";',
    "",
    "export async function getBalance(clock: Clock): Promise<number> {",
    "  return clock.now().getTime();",
    "}",
  ),
  "server/suppliers/supplier.ts": lines(
    "export interface Supplier {",
    "  readonly name: string;",
    "}",
  ),
  "server/testing/fake-clock.ts": lines(
    'import type { Clock } from "../lib/clock.ts";',
    "",
    "export const fakeClock: Clock = { now: () => new Date(0) };",
  ),
};

/** Ends every line, the last one too. */
function lines(...text: string[]): string {
  return `${text.join("\n")}\n`;
}

interface ImportFault {
  readonly rule: string;
  readonly files: Readonly<Record<string, string>>;
  readonly edge: string;
  readonly remedy: string;
}

/** One file, `from`, that imports what it must not. Folders of tree and target need not be real ones. */
function forbid(rule: string, from: string, to: string, remedy: string, type = false): ImportFault {
  const depth = from.split("/").length - 1;
  const isOurs = /^(server|electron|renderer)\/.*\.tsx?$/.test(to);
  const specifier = isOurs ? `${"../".repeat(depth)}${to}` : to;
  const statement = type
    ? `export type * from "${specifier}";`
    : `import * as other from "${specifier}";\nexport { other };`;
  return { rule, files: { [from]: `${statement}\n` }, edge: from, remedy };
}

export const IMPORT_FAULTS: readonly ImportFault[] = [
  forbid("no-unresolvable", "server/lib/fault-nowhere.ts", "./nowhere.ts", "Correct the path"),
  forbid(
    "no-testing-in-production",
    "server/db/fault-testing.ts",
    "server/testing/fake-clock.ts",
    "Move what it needs beside its subject",
  ),
  forbid("renderer-no-node", "renderer/lib/fault-node.ts", "node:fs", "Use the web platform"),
  forbid(
    "renderer-no-server-packages",
    "renderer/lib/fault-electron.ts",
    "electron",
    "Call the gateway",
  ),
  forbid("renderer-no-server-packages", "renderer/lib/fault-sql.ts", "kysely", "Call the gateway"),
  forbid(
    "server-no-shell",
    "server/http/fault-electron.ts",
    "electron/main",
    "Pass what it needs through createGateway's overrides",
  ),
  forbid(
    "renderer-only-contract",
    "renderer/lib/fault-server.ts",
    "server/index.ts",
    "Move the shape into server/contract",
  ),
  forbid(
    "renderer-ipc-types-only",
    "renderer/lib/fault-ipc.ts",
    "electron/ipc/ipc.ts",
    "Write `import type`",
  ),
  forbid(
    "electron-only-server-door",
    "electron/fault-door.ts",
    "server/db/database.ts",
    "Export what it needs from server/index.ts",
  ),
  forbid(
    "electron-no-renderer",
    "electron/fault-renderer.ts",
    "renderer/app/routes.tsx",
    "over HTTP from the gateway",
  ),
  forbid(
    "server-no-shell",
    "server/http/fault-shell.ts",
    "electron/ipc/ipc.ts",
    "Pass what it needs through createGateway's overrides",
  ),
  forbid(
    "contract-imports-nothing-of-ours",
    "server/contract/fault-contract.ts",
    "server/lib/clock.ts",
    "Move the code out of the contract",
  ),
  forbid(
    "lib-imports-nothing-of-ours",
    "server/lib/fault-lib.ts",
    "server/contract/offer.ts",
    "move the code to the module whose word it knows",
  ),
  forbid(
    "db-layer",
    "server/db/fault-db.ts",
    "server/jobs/job-runner.ts",
    "Put the query into the store of the module",
  ),
  forbid(
    "jobs-layer",
    "server/jobs/fault-jobs.ts",
    "server/suppliers/supplier.ts",
    "Let the module register a handler",
  ),
  forbid(
    "suppliers-layer",
    "server/suppliers/fault-suppliers.ts",
    "server/jobs/job-runner.ts",
    "Let the module call the supplier",
  ),
  forbid(
    "config-layer",
    "server/config/fault-config.ts",
    "server/db/database.ts",
    "contract and lib only",
  ),
  forbid(
    "modules-layer",
    "server/modules/staff/fault-layer.ts",
    "server/context.ts",
    "server/context.ts hands it in",
  ),
  forbid(
    "http-layer",
    "server/http/fault-http.ts",
    "server/index.ts",
    "Take the object as an argument",
  ),
  forbid(
    "admin-layer",
    "server/admin/fault-admin.ts",
    "server/db/database.ts",
    "Add what it needs to the module's service",
  ),
  forbid(
    "no-import-of-hosts",
    "server/fault-hosts.ts",
    "server/main.ts",
    "Import server/index.ts instead",
  ),
  forbid(
    "modules-meet-at-index",
    "server/modules/staff/fault-meet.ts",
    "server/modules/wallet/wallet-service.ts",
    "Modules meet only through each other's index.ts",
  ),
  forbid(
    "modules-entered-at-index",
    "server/fault-enter.ts",
    "server/modules/wallet/wallet-service.ts",
    "A module is entered through its index.ts",
  ),
  forbid(
    "ground-modules-depend-on-none",
    "server/modules/esims/fault-ground.ts",
    "server/modules/staff/index.ts",
    "Pass the value in, or let the module above join",
  ),
  forbid(
    "services-know-no-http",
    "server/modules/staff/fault-service.ts",
    "fastify",
    "Throw a typed domain error",
  ),
  forbid(
    "services-know-no-http",
    "server/modules/staff/fault-store.ts",
    "server/http/error-handler.ts",
    "Throw a typed domain error",
  ),
  forbid(
    "services-know-no-http",
    "server/modules/staff/fault-machine.ts",
    "fastify",
    "Throw a typed domain error",
    true,
  ),
  forbid(
    "routes-know-no-sql",
    "server/modules/staff/fault-routes.ts",
    "server/db/database.ts",
    "Call a service",
  ),
  forbid("routes-know-no-sql", "server/modules/staff/other-routes.ts", "kysely", "Call a service"),
  forbid("one-door-to-sqlite", "server/db/fault-sqlite.ts", "better-sqlite3", "server/db only"),
  forbid(
    "features-do-not-meet",
    "renderer/features/sell/fault-meet.ts",
    "renderer/features/shift/shift-page.tsx",
    "Join them in a route of renderer/app",
  ),
  forbid(
    "features-below-app",
    "renderer/features/sell/fault-app.ts",
    "renderer/app/routes.tsx",
    "so they do not import it",
  ),
  forbid(
    "shared-below-features",
    "renderer/components/fault-shared.ts",
    "renderer/features/sell/sell-page.tsx",
    "know no feature",
  ),
  {
    rule: "counter-layers",
    files: {
      "renderer/features/counter/families/topup/topup.ts": "export const topup = 1;\n",
      "renderer/features/counter/sale/fault-sale.ts":
        'export * from "../families/topup/topup.ts";\n',
    },
    edge: "renderer/features/counter/sale/fault-sale.ts",
    remedy: "The counter's layers import downwards only",
  },
  {
    rule: "counter-layers",
    files: {
      "renderer/features/counter/ui/step.ts": "export const step = 1;\n",
      "renderer/features/counter/api/fault-api.ts": 'export * from "../ui/step.ts";\n',
    },
    edge: "renderer/features/counter/api/fault-api.ts",
    remedy: "The counter's layers import downwards only",
  },
  {
    rule: "counter-families-do-not-meet",
    files: {
      "renderer/features/counter/families/bill/bill.ts": "export const bill = 1;\n",
      "renderer/features/counter/families/esim/fault-meet.ts": 'export * from "../bill/bill.ts";\n',
    },
    edge: "renderer/features/counter/families/esim/fault-meet.ts",
    remedy: "A family of the counter knows no other",
  },
  {
    rule: "folders-without-cycles",
    files: {
      "renderer/lib/money/money.ts": 'export type * from "../words.ts";\n',
      "renderer/lib/words.ts": "export interface Words {\n  word: string;\n}\n",
      "renderer/lib/say.ts": 'export type * from "./money/money.ts";\n',
    },
    edge: "renderer/lib → renderer/lib/money → renderer/lib",
    remedy: "Move what both need into one that imports neither",
  },
  {
    rule: "no-cycles",
    files: {
      "server/lib/fault-cycle-one.ts": 'export * from "./fault-cycle-two.ts";\n',
      "server/lib/fault-cycle-two.ts": 'export * from "./fault-cycle-one.ts";\n',
    },
    edge: "server/lib/fault-cycle-one.ts",
    remedy: "Move what both need into a third file",
  },
  {
    rule: "modules-without-cycles",
    files: {
      "server/modules/promos/index.ts": 'export type * from "./promo.ts";\n',
      "server/modules/promos/promo.ts": "export interface Promo {\n  id: string;\n}\n",
      "server/modules/promos/promo-report.ts": 'export * from "../reports/index.ts";\n',
      "server/modules/reports/index.ts": 'export type * from "../promos/index.ts";\n',
    },
    edge: "promos → reports → promos",
    remedy: "Let the upper one register a handler",
  },
];

interface NameFault {
  readonly file: string;
  readonly text: string;
  /** Line and name of each complaint; nothing else in the file is one. */
  readonly says: readonly string[];
}

export const NAME_FAULTS: readonly NameFault[] = [
  {
    file: "server/modules/staff/fault-time.ts",
    text: lines(
      "// Date.now() in a comment, and in types and strings, is none",
      'import { setTimeout as sleep } from "node:timers/promises";',
      "export const text = 'new Date()';",
      "export let timer: ReturnType<typeof setTimeout>;",
      "export const parsed = new Date(3);",
      "export const a = Date.now();",
      "export const b = new Date();",
      "timer = setTimeout(() => sleep(1), 1);",
      "setInterval(() => undefined, 1);",
      "export const c = globalThis.setImmediate(() => undefined);",
      "export const d = clock.setTimeout(1);",
      "export const e = [1].map(Date.now);",
      "export const f = () => {",
      "  const inner = () => 3;",
      "  return inner;",
      "};",
      "export const typed: () => number = () => 3;",
      "export const { now } = Date;",
    ),
    says: [
      "2: node:timers is",
      "2: setTimeout is",
      "6: Date.now is",
      "7: new Date() without an argument is",
      "8: setTimeout is",
      "9: setInterval is",
      "10: setImmediate is",
      "12: Date.now is",
      "13: a function as a constant of the file is",
      "18: Date.now is",
    ],
  },
  {
    file: "server/modules/staff/fault-env.ts",
    text: lines(
      'import { env } from "node:process";',
      "export const { env: other } = process;",
      "export const home = process.env.HOME ?? env.HOME;",
      'export const path = process["env"].PATH;',
    ),
    says: ["1: process.env is", "2: process.env is", "3: process.env is", "4: process.env is"],
  },
  {
    file: "electron/windows/fault-ipc.ts",
    text: lines(
      'import { contextBridge, ipcMain } from "electron";',
      'import * as electron from "electron";',
      "electron.ipcRenderer.send(ipcMain, contextBridge, process.env.HOME);",
    ),
    says: ["1: ipcMain is", "1: contextBridge is", "3: ipcRenderer is", "3: process.env is"],
  },
  {
    file: "renderer/features/today/components/fault-dialog.tsx",
    text: lines(
      'import { Button, Drawer, Modal as Window, type ModalProps } from "@mantine/core";',
      'import { Modal } from "./modal.tsx";',
      "export const all: readonly [ModalProps, ...unknown[]] = [{}, Button, Drawer, Window, Modal];",
    ),
    says: ["1: Modal of Mantine is", "1: Drawer of Mantine is"],
  },
  {
    file: "renderer/features/today/api/fault-queries.ts",
    text: lines(
      "// /pos/sales in a comment is no path",
      'import { sale } from "../../../../server/contract/pos/sales.ts";',
      "export const mine = { queryKey: sale };",
      'export const query = { queryKey: ["sales"] };',
      'export const first = fetch("/pos/sales");',
      "export const second = globalThis.fetch(`/pos/sales`);",
      'export const stream = new EventSource("/elsewhere");',
    ),
    says: [
      "4: a query key that is written out is",
      "5: fetch is",
      "5: a path of /pos is",
      "6: fetch is",
      "6: a path of /pos is",
      "7: EventSource is",
    ],
  },
  {
    file: "renderer/features/today/components/fault-refs.tsx",
    text: lines(
      'import { useEffect, useRef } from "react";',
      "export function useFault(read: () => void, at: number) {",
      "  const field = useRef<HTMLInputElement>(null);",
      "  const before = useRef<Element>(null);",
      "  const busy = useRef(false);",
      "  const known = useRef<string>(undefined);",
      "  // biome-ignore lint/correctness/useExhaustiveDependencies: to be run when it changes",
      "  useEffect(() => read(), [at]);",
      "  return [field, before, busy, known];",
      "}",
      'document.querySelector("button")?.click();',
    ),
    says: [
      "11: a click on an element is",
      "5: a ref that is of no element is",
      "6: a ref that is of no element is",
      "7: a suppressed list of dependencies is",
    ],
  },
  {
    file: "renderer/features/today/components/fault-spread.tsx",
    text: lines(
      "export function Fault({ name }: { name?: string }) {",
      "  const fine = { ...(name && { name }) };",
      "  const fault = { ...(name ? { name } : {}), ...(name === undefined ? {} : { name }) };",
      "  return <p {...(name ? { title: name } : {})}>{String(fine) + String(fault)}</p>;",
      "}",
    ),
    says: ["3: a spread of {} is", "4: a spread of {} is"],
  },
  {
    file: "server/modules/sales/fault-routes.ts",
    text: 'export const routes = ["/position", "/pos", "/pos/sales"];\n',
    says: ["1: a path of /pos is"],
  },
  {
    file: "server/contract/pos/exempt.ts",
    text: 'export const PREFIX = "/pos";\n',
    says: [],
  },
  {
    file: "renderer/components/dialog/exempt.tsx",
    text: 'import { Modal } from "@mantine/core";\nexport const own = Modal;\n',
    says: [],
  },
  {
    file: "server/modules/staff/exempt.test.ts",
    text: "export const now = Date.now();\n",
    says: [],
  },
];
