// Import rules. Every comment names the remedy, because the failing check prints it.
// Run through .ci/checks/imports.ts, which also fails if the cruise missed files.

const TEST = "\\.test\\.tsx?$|^(server|renderer)/testing/|^e2e/|^\\.ci/";
const NODE_MODULES = "(^|/)node_modules/";
/** Electron's own names, and the package that types them. */
const ELECTRON = `^electron$|^electron/(main|renderer|common|utility)$|${NODE_MODULES}electron/`;
/** Scripts that write a file under version control; they may reach the composition root. */
const DUMP_SCRIPT = "/dump-[^/]+\\.ts$";

/** The layers of the counter, from the top: each may import itself and those that stand after it. */
const COUNTER = "^renderer/features/counter/";
const COUNTER_LAYERS = ["shell", "families", "sale", "picker", "ui", "api"];

/** The groups of modules, from the top: a module imports its own group, and those that stand after it. */
const MODULES = "^server/modules/";
const GROUPS = [
  "operations",
  "office",
  "selling",
  "safety",
  "providers",
  "purchases",
  "catalog",
  "shop",
  "messages",
  "books",
];

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
const forbidden = [
  {
    name: "no-cycles",
    comment:
      "Files import each other in a circle. Move the shared code into a third file below them.",
    severity: "error",
    from: {},
    to: { circular: true },
  },
  {
    name: "no-unresolvable",
    comment: "The import leads nowhere. Correct the path, or add the package to package.json.",
    severity: "error",
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: "no-testing-in-production",
    comment:
      "Production code imports tests or server/testing. Move the shared code beside its subject, outside testing/.",
    severity: "error",
    from: { path: "^(server|electron|renderer)/", pathNot: TEST },
    to: { path: "^(server|renderer)/testing/|\\.test\\.tsx?$|^e2e/|^\\.ci/" },
  },

  // The three parts
  {
    name: "renderer-no-node",
    comment:
      "The renderer runs in a browser: no node:* modules. Use the web platform, or let the gateway do it behind /pos.",
    severity: "error",
    from: { path: "^renderer/", pathNot: TEST },
    to: { dependencyTypes: ["core"] },
  },
  {
    name: "renderer-no-server-packages",
    comment:
      "The renderer runs in a browser and knows no shell: no electron, fastify, kysely or better-sqlite3. Call the gateway, or the typed window bridge.",
    severity: "error",
    from: { path: "^renderer/" },
    to: { path: `${ELECTRON}|${NODE_MODULES}(fastify|@fastify|kysely|better-sqlite3)/` },
  },
  {
    name: "renderer-only-contract",
    comment:
      "Of the server the renderer may import server/contract only (and types of electron/ipc). Move the shape into server/contract, or call the API.",
    severity: "error",
    from: { path: "^renderer/" },
    to: {
      path: "^(server|electron)/",
      pathNot: "^server/contract/|^electron/ipc/",
    },
  },
  {
    name: "renderer-ipc-types-only",
    comment: "The renderer may import types of electron/ipc only. Write `import type`.",
    severity: "error",
    from: { path: "^renderer/" },
    to: { path: "^electron/ipc/", dependencyTypesNot: ["type-only", "type-import"] },
  },
  {
    name: "electron-only-server-door",
    comment:
      "The shell may import server/index.ts, server/before-start.ts and server/contract only. Export the function from server/index.ts.",
    severity: "error",
    from: { path: "^electron/", pathNot: TEST },
    to: { path: "^server/", pathNot: "^server/(index|before-start)\\.ts$|^server/contract/" },
  },
  {
    name: "electron-no-renderer",
    comment: "The shell loads the renderer over HTTP from the gateway; it imports none of it.",
    severity: "error",
    from: { path: "^electron/" },
    to: { path: "^renderer/" },
  },
  {
    name: "client-stands-alone",
    comment:
      "packages/client is installed without the rest of the project and runs in browsers too. Import its own files, openapi-fetch and standardwebhooks only.",
    severity: "error",
    from: { path: "^packages/client/src/" },
    to: {
      pathNot: `^packages/client/src/|${NODE_MODULES}(openapi-fetch|standardwebhooks)/`,
    },
  },
  {
    name: "server-no-shell",
    comment:
      "The server runs without Electron and without the renderer. Pass the dependency through createGateway's overrides.",
    severity: "error",
    from: { path: "^server/" },
    to: { path: `^(electron|renderer)/|${ELECTRON}` },
  },

  // Layers inside the server
  {
    name: "contract-imports-nothing-of-ours",
    comment:
      "server/contract imports the schema library only, because the browser loads it too. Move the code out of the contract, or the shape into it.",
    severity: "error",
    from: { path: "^server/contract/", pathNot: TEST },
    to: { pathNot: `^server/contract/|${NODE_MODULES}typebox/` },
  },
  {
    name: "lib-imports-nothing-of-ours",
    comment:
      "server/lib imports nothing of ours. Pass the value in, or move the code to the module of that term.",
    severity: "error",
    from: { path: "^server/lib/", pathNot: TEST },
    to: { path: "^(server|electron|renderer|resources)/", pathNot: "^server/lib/" },
  },
  {
    name: "db-layer",
    comment:
      "server/db may import db, contract and lib only. Put the query into the store of the module that needs it.",
    severity: "error",
    from: { path: "^server/db/", pathNot: TEST },
    to: { path: "^server/", pathNot: "^server/(db|contract|lib)/" },
  },
  {
    name: "jobs-layer",
    comment:
      "server/jobs knows no domain term: db, contract and lib only. Let the module register a handler with the job runner.",
    severity: "error",
    from: { path: "^server/jobs/", pathNot: TEST },
    to: { path: "^server/", pathNot: "^server/(jobs|db|contract|lib)/" },
  },
  {
    name: "providers-layer",
    comment:
      "server/providers may import db, contract and lib only. Let the module call the provider and pass its arguments.",
    severity: "error",
    from: { path: "^server/providers/", pathNot: TEST },
    to: { path: "^server/", pathNot: "^server/(providers|db|contract|lib)/" },
  },
  {
    name: "config-layer",
    comment: "server/config may import contract and lib only.",
    severity: "error",
    from: { path: "^server/config/", pathNot: TEST },
    to: { path: "^server/", pathNot: "^server/(config|contract|lib)/" },
  },
  {
    name: "modules-layer",
    comment:
      "A module may import db, jobs, providers, http, contract, lib and other modules' index.ts only. Take the object or the setting as an argument; server/gateway/context.ts passes it in.",
    severity: "error",
    from: { path: "^server/modules/", pathNot: TEST },
    to: { path: "^server/", pathNot: "^server/(modules|db|jobs|providers|http|contract|lib)/" },
  },
  {
    name: "http-layer",
    comment:
      "server/http is wired by server/gateway/app.ts: it imports neither that nor a module. Take the object as an argument.",
    severity: "error",
    from: { path: "^server/http/", pathNot: `${TEST}|${DUMP_SCRIPT}` },
    to: { path: "^server/([^/]+\\.ts$|gateway/|admin/|config/|modules/)" },
  },
  {
    name: "admin-layer",
    comment:
      "The command line may import server/index.ts, program.ts, version.ts, gateway/context.ts and gateway/move-shop.ts, modules' index.ts, config, conformance, contract and lib only. Add the function to the module's service.",
    severity: "error",
    from: { path: "^server/admin/", pathNot: TEST },
    to: {
      path: "^server/",
      pathNot:
        "^server/(admin|config|conformance|contract|lib|modules)/|^server/(index|program|version)\\.ts$|^server/gateway/(context|move-shop)\\.ts$",
    },
  },
  {
    name: "conformance-layer",
    comment:
      "The conformance kit tests any gateway from outside: it imports its own files and server/lib only.",
    severity: "error",
    from: { path: "^server/conformance/", pathNot: TEST },
    to: { path: "^server/", pathNot: "^server/(conformance|lib)/" },
  },
  {
    name: "no-import-of-hosts",
    comment:
      "server/main.ts and server/admin are programs, not libraries. Import server/index.ts instead.",
    severity: "error",
    from: { pathNot: `^server/admin/|${TEST}` },
    to: { path: "^server/main\\.ts$|^server/admin/" },
  },

  // Modules
  {
    name: "modules-meet-at-index",
    comment:
      "Modules meet only through each other's index.ts. Export the name there, if it belongs to the module's interface.",
    severity: "error",
    from: { path: `${MODULES}([^/]+/[^/]+)/` },
    to: {
      path: `${MODULES}[^/]+/[^/]+/`,
      pathNot: `${MODULES}$1/|${MODULES}[^/]+/[^/]+/index\\.ts$`,
    },
  },
  {
    name: "modules-entered-at-index",
    comment:
      "A module is entered through its index.ts. Export the name there. Only a background thread loads the single file of its task.",
    severity: "error",
    from: { pathNot: `^server/(modules/[^/]+/[^/]+|background)/|${TEST}` },
    to: { path: `${MODULES}[^/]+/[^/]+/`, pathNot: `${MODULES}[^/]+/[^/]+/index\\.ts$` },
  },
  ...GROUPS.slice(1).map((group, index) => ({
    name: "module-groups",
    comment: `Groups of modules import downwards only: ${GROUPS.join(", ")}. Pass the value or a function in, or move the shared code to the lower group.`,
    severity: "error",
    from: { path: `${MODULES}${group}/`, pathNot: TEST },
    to: { path: `${MODULES}(${GROUPS.slice(0, index + 1).join("|")})/` },
  })),
  {
    name: "ground-modules-depend-on-none",
    comment:
      "catalog, wallet, esims and webhooks depend on no module. Pass the value in, or let the module above join the two.",
    severity: "error",
    from: { path: `${MODULES}([^/]+/(catalog|wallet|esims|webhooks))/`, pathNot: TEST },
    to: { path: `${MODULES}[^/]+/[^/]+/`, pathNot: `${MODULES}$1/` },
  },
  {
    name: "services-know-no-http",
    comment:
      "Services, stores and machines know no HTTP. Throw a typed domain error and let the error table pick the status; shape the answer in *-routes.ts.",
    severity: "error",
    from: { path: "^server/.*-(service|store|machine)\\.ts$" },
    to: { path: `^server/http/|${NODE_MODULES}(fastify|fastify-plugin|@fastify)/` },
  },
  {
    name: "routes-know-no-sql",
    comment: "Routes know no SQL. Call a service, which calls its *-store.ts.",
    severity: "error",
    from: { path: "^server/.*-routes\\.ts$" },
    to: { path: `^server/db/|${NODE_MODULES}kysely/` },
  },

  // Single doors
  {
    name: "one-door-to-sqlite",
    comment:
      "better-sqlite3 is used in server/db only. Use the functions of server/db/database.ts.",
    severity: "error",
    from: { pathNot: "^server/db/(database(-files)?\\.ts$|sqlite/)|^e2e/bench/bare-report\\.ts$" },
    to: { path: `${NODE_MODULES}(better-sqlite3|@types/better-sqlite3)/` },
  },

  // The renderer's inside
  {
    name: "features-do-not-meet",
    comment:
      "Renderer features do not import features. Join them in a route of renderer/app, or move the shared code to renderer/components or renderer/lib.",
    severity: "error",
    from: { path: "^renderer/features/([^/]+)/" },
    to: { path: "^renderer/features/", pathNot: "^renderer/features/$1/" },
  },
  {
    name: "features-below-app",
    comment:
      "renderer/app joins the features, so they do not import it. Take it as a prop, or move it to renderer/lib.",
    severity: "error",
    from: { path: "^renderer/(features|components|lib)/", pathNot: TEST },
    to: { path: "^renderer/app/" },
  },
  {
    name: "shared-below-features",
    comment: "renderer/components and renderer/lib know no feature. Take it as a prop or argument.",
    severity: "error",
    from: { path: "^renderer/(components|lib)/" },
    to: { path: "^renderer/features/" },
  },

  // The counter's inside
  ...COUNTER_LAYERS.slice(1).map((layer, index) => ({
    name: "counter-layers",
    comment:
      "The counter's layers import downwards only: shell, families, sale, picker, ui, api. Take it as a prop or an argument, or move the shared code to the lower one.",
    severity: "error",
    from: { path: `${COUNTER}${layer}/`, pathNot: TEST },
    to: { path: `${COUNTER}(${COUNTER_LAYERS.slice(0, index + 1).join("|")})/` },
  })),
  {
    name: "counter-families-do-not-meet",
    comment:
      "A family of the counter knows no other. Move the shared code to the picker or to the sale.",
    severity: "error",
    from: { path: `${COUNTER}families/([^/]+)/`, pathNot: TEST },
    to: {
      path: `${COUNTER}families/`,
      pathNot: `${COUNTER}families/($1|interface)/`,
    },
  },
];

module.exports = {
  forbidden,
  options: {
    // TypeScript 7 has no parser for other tools: without this setting the cruise finds no module.
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(out|dist|artifacts)/" },
    builtInModules: {
      add: ["electron", ...["main", "renderer", "common", "utility"].map((n) => `electron/${n}`)],
    },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mts", ".js", ".mjs", ".cjs", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
