interface ImportFault {
  readonly rule: string;
  readonly files: Readonly<Record<string, string>>;
  readonly edge: string;
  readonly remedy: string;
}

/** Describes a forbidden import in the file `from`. Its folders need not exist. */
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
    "Move the shared code beside its subject",
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
    "client-stands-alone",
    "packages/client/src/fault-server.ts",
    "server/contract/common.ts",
    "Import its own files, openapi-fetch and standardwebhooks only",
  ),
  forbid(
    "server-no-shell",
    "server/http/fault-electron.ts",
    "electron/main",
    "Pass the dependency through createGateway's overrides",
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
    "Export the function from server/index.ts",
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
    "Pass the dependency through createGateway's overrides",
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
    "move the code to the module of that term",
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
    "server/providers/provider.ts",
    "Let the module register a handler",
  ),
  forbid(
    "providers-layer",
    "server/providers/fault-providers.ts",
    "server/jobs/job-runner.ts",
    "Let the module call the provider",
  ),
  forbid(
    "config-layer",
    "server/config/fault-config.ts",
    "server/db/database.ts",
    "contract and lib only",
  ),
  forbid(
    "modules-layer",
    "server/modules/shop/staff/fault-layer.ts",
    "server/gateway/context.ts",
    "server/gateway/context.ts passes it in",
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
    "Add the function to the module's service",
  ),
  forbid(
    "no-import-of-hosts",
    "server/fault-hosts.ts",
    "server/main.ts",
    "Import server/index.ts instead",
  ),
  forbid(
    "modules-meet-at-index",
    "server/modules/shop/staff/fault-meet.ts",
    "server/modules/books/wallet/wallet-service.ts",
    "Modules meet only through each other's index.ts",
  ),
  forbid(
    "modules-entered-at-index",
    "server/fault-enter.ts",
    "server/modules/books/wallet/wallet-service.ts",
    "A module is entered through its index.ts",
  ),
  forbid(
    "module-groups",
    "server/modules/books/wallet/fault-group.ts",
    "server/modules/shop/staff/index.ts",
    "Groups of modules import downwards only",
  ),
  forbid(
    "ground-modules-depend-on-none",
    "server/modules/purchases/esims/fault-ground.ts",
    "server/modules/shop/staff/index.ts",
    "Pass the value in, or let the module above join",
  ),
  forbid(
    "services-know-no-http",
    "server/modules/shop/staff/fault-service.ts",
    "fastify",
    "Throw a typed domain error",
  ),
  forbid(
    "services-know-no-http",
    "server/modules/shop/staff/fault-store.ts",
    "server/http/error-handler.ts",
    "Throw a typed domain error",
  ),
  forbid(
    "services-know-no-http",
    "server/modules/shop/staff/fault-machine.ts",
    "fastify",
    "Throw a typed domain error",
    true,
  ),
  forbid(
    "routes-know-no-sql",
    "server/modules/shop/staff/fault-routes.ts",
    "server/db/database.ts",
    "Call a service",
  ),
  forbid(
    "routes-know-no-sql",
    "server/modules/shop/staff/other-routes.ts",
    "kysely",
    "Call a service",
  ),
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
    remedy: "Move the shared code into one that imports neither",
  },
  {
    rule: "no-cycles",
    files: {
      "server/lib/fault-cycle-one.ts": 'export * from "./fault-cycle-two.ts";\n',
      "server/lib/fault-cycle-two.ts": 'export * from "./fault-cycle-one.ts";\n',
    },
    edge: "server/lib/fault-cycle-one.ts",
    remedy: "Move the shared code into a third file",
  },
  {
    rule: "modules-without-cycles",
    files: {
      "server/modules/books/promos/index.ts": 'export type * from "./promo.ts";\n',
      "server/modules/books/promos/promo.ts": "export interface Promo {\n  id: string;\n}\n",
      "server/modules/books/promos/promo-report.ts": 'export * from "../reports/index.ts";\n',
      "server/modules/books/reports/index.ts": 'export type * from "../promos/index.ts";\n',
    },
    edge: "books/promos → books/reports → books/promos",
    remedy: "Let the upper one register a handler",
  },
];
