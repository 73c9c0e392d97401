/**
 * Names that may be used behind one door only: the clock, the environment, Electron's IPC, dialogs,
 * the till's operations and the keys of their answers; and the one form of function linters cannot
 * tell apart: an arrow as a constant of the file is banned, inside a function it is welcome, because
 * it keeps the narrowed types around it.
 * Reads the syntax tree, so comments, types and properties of other objects do not count.
 */
import { globSync, readFileSync } from "node:fs";
import { parseSync } from "vite";

interface Ban {
  /** What is banned, as written in the message. */
  readonly name: string;
  readonly applies: RegExp;
  readonly except: RegExp;
  readonly remedy: string;
  readonly matches: (node: Node) => boolean;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const TEST = String.raw`\.test\.tsx?$|^(server|renderer)/testing/`;
const USE_CLOCK = "take a Clock as an argument; only server/lib/clock.ts asks the machine";
const USE_CONFIG =
  "read it in server/config/env.ts (or electron/env.ts) and pass the checked value on";

const OUTSIDE_CLOCK = {
  applies: /^server\//,
  except: new RegExp(`${TEST}|^server/lib/clock\\.ts$`),
};
const OUTSIDE_ENV = {
  applies: /^(server|electron|renderer|resources)\//,
  except: new RegExp(`${TEST}|^server/config/env\\.ts$|^electron/env\\.ts$`),
};

const BANS: readonly Ban[] = [
  {
    name: "Date.now",
    ...OUTSIDE_CLOCK,
    remedy: USE_CLOCK,
    matches: (n) => isMember(n, "Date", "now") || isTakenFrom(n, "Date", "now"),
  },
  {
    name: "new Date() without an argument",
    ...OUTSIDE_CLOCK,
    remedy: USE_CLOCK,
    matches: (n) =>
      (n.type === "NewExpression" && isGlobal(n.callee, "Date") && isEmptyList(n.arguments)) ||
      (n.type === "CallExpression" && isGlobal(n.callee, "Date")),
  },
  ...["setTimeout", "setInterval", "setImmediate"].map((name) => ({
    name,
    ...OUTSIDE_CLOCK,
    remedy: USE_CLOCK,
    matches: (n: Node) => isIdentifier(n, name) || isMember(n, "globalThis", name),
  })),
  {
    name: "node:timers",
    ...OUTSIDE_CLOCK,
    remedy: USE_CLOCK,
    matches: (n) => isImportOf(n, /^(node:)?timers(\/|$)/),
  },
  {
    name: "process.env",
    ...OUTSIDE_ENV,
    remedy: USE_CONFIG,
    matches: (n) =>
      isMember(n, "process", "env") ||
      (n.type === "ImportDeclaration" &&
        isImportOf(n, /^(node:)?process$/) &&
        (n.specifiers as Node[]).some((s) => isIdentifier(s.imported, "env"))) ||
      isTakenFrom(n, "process", "env"),
  },
  ...["ipcMain", "ipcRenderer"].map((name) => ({
    name,
    applies: /^(server|electron|renderer)\//,
    except: /\.test\.tsx?$|^electron\/(ipc|preload)\//,
    remedy: "declare the message in electron/ipc and use its typed functions",
    matches: (n: Node) =>
      (n.type === "ImportSpecifier" && isIdentifier(n.imported, name)) ||
      (n.type === "MemberExpression" && isIdentifier(n.property, name)) ||
      (n.type === "Property" && isIdentifier(n.key, name)),
  })),
  {
    name: "contextBridge",
    applies: /^(server|electron|renderer)\//,
    except: /\.test\.tsx?$|^electron\/preload\//,
    remedy: "expose it in electron/preload, the one script both worlds can see",
    matches: (n) => n.type === "ImportSpecifier" && isIdentifier(n.imported, "contextBridge"),
  },
  ...["Modal", "Drawer"].map((name) => ({
    name: `${name} of Mantine`,
    applies: /^renderer\//,
    except: new RegExp(`${TEST}|^renderer/components/dialog/`),
    remedy:
      "use Dialog of renderer/components/dialog: it holds the focus, and no key of a screen acts behind it",
    matches: (n: Node) =>
      n.type === "ImportDeclaration" &&
      isImportOf(n, /^@mantine\/core$/) &&
      (n.specifiers as Node[]).some((s) => isIdentifier(s.imported, name)),
  })),
  {
    name: "a path of /pos",
    applies: /^(server|electron|renderer|resources)\//,
    except: new RegExp(`${TEST}|/testing/|^server/contract/pos/`),
    remedy:
      "declare the operation in server/contract/pos, and call or handle it by its declaration",
    matches: (n) => /^\/pos(\/|$)/.test(textOf(n)),
  },
  {
    name: "a query key that is written out",
    applies: /^renderer\//,
    except: new RegExp(TEST),
    remedy: "take queryKeyOf or operationQuery of renderer/lib/operation-query.ts",
    matches: (n) =>
      n.type === "Property" &&
      isIdentifier(n.key, "queryKey") &&
      isNode(n.value) &&
      n.value.type === "ArrayExpression",
  },
  ...["fetch", "EventSource"].map((name) => ({
    name,
    applies: /^renderer\//,
    except: new RegExp(`${TEST}|/testing/|^renderer/lib/api-client\\.ts$`),
    remedy: "use call or openStream of renderer/lib/api-client.ts with a declared operation",
    matches: (n: Node) => /^(Call|New)Expression$/.test(n.type) && isGlobal(n.callee, name),
  })),
  {
    name: "a function as a constant of the file",
    applies: /^(server|electron|renderer|resources)\//,
    except: new RegExp(TEST),
    remedy: "write a function declaration, or give the constant the type it must have",
    matches: (n) => n.type === "VariableDeclarator" && n.isOfFile === true && isUntypedFunction(n),
  },
];

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

/** The text of a literal, or how a template begins. */
function textOf({ type, value, quasis }: Node): string {
  if (type === "Literal") return typeof value === "string" ? value : "";
  if (type !== "TemplateLiteral") return "";
  const [first] = quasis as { value: { cooked: string } }[];
  return first?.value.cooked ?? "";
}

function isIdentifier(value: unknown, name: string): boolean {
  return isNode(value) && value.type === "Identifier" && value.name === name;
}

function isGlobal(value: unknown, name: string): boolean {
  return isIdentifier(value, name) || (isNode(value) && isMember(value, "globalThis", name));
}

function isMember(node: Node, object: string, property: string): boolean {
  if (node.type !== "MemberExpression") return false;
  const isObject =
    object === "globalThis" ? isIdentifier(node.object, object) : isGlobal(node.object, object);
  const key = node.property as Node;
  return isObject && (isIdentifier(key, property) || key.value === property);
}

/** `const { property } = object`. */
function isTakenFrom(node: Node, object: string, property: string): boolean {
  return (
    node.type === "VariableDeclarator" &&
    isGlobal(node.init, object) &&
    isNode(node.id) &&
    node.id.type === "ObjectPattern" &&
    (node.id.properties as Node[]).some(({ key }) => isIdentifier(key, property))
  );
}

function isUntypedFunction({ id, init }: Node): boolean {
  const isFunction = isNode(init) && /^(ArrowFunction|Function)Expression$/.test(init.type);
  return isFunction && isNode(id) && (id.typeAnnotation ?? null) === null;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isImportOf(node: Node, source: RegExp): boolean {
  const isImport = node.type === "ImportDeclaration" || node.type === "ImportExpression";
  return isImport && isNode(node.source) && source.test(String(node.source.value));
}

/** Visits every node that runs: types are passed over, and so are names that are only keys. */
function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, see);
    return;
  }
  if (!isNode(value) || isTypeOnly(value)) return;
  see(value);
  for (const [key, child] of Object.entries(value)) {
    const isPlainKey = (key === "property" || key === "key") && value.computed !== true;
    if (!isPlainKey && key !== "parent") visit(child, see);
  }
}

function isTypeOnly({ type, importKind }: Node): boolean {
  if (importKind === "type") return true;
  return (
    /^TS.*(Type|Keyword|Query|Annotation|Instantiation|Reference)$/.test(type) ||
    type === "TSInterfaceDeclaration"
  );
}

/** Marks the declarators that stand in no function, so that a ban can ask. */
function markFileConstants(statements: readonly unknown[]): void {
  for (const statement of statements) {
    const declaration =
      isNode(statement) && isNode(statement.declaration) ? statement.declaration : statement;
    if (isNode(declaration) && declaration.type === "VariableDeclaration") {
      for (const declarator of declaration.declarations as object[]) {
        Object.assign(declarator, { isOfFile: true });
      }
    }
  }
}

function check(file: string): string[] {
  const bans = BANS.filter((ban) => ban.applies.test(file) && !ban.except.test(file));
  if (bans.length === 0) return [];
  const text = readFileSync(file, "utf8");
  const { program, errors } = parseSync(file, text);
  markFileConstants(program.body);
  if (errors.length > 0) return [`${file}: cannot be parsed: ${errors[0]?.message}`];
  const complaints: string[] = [];
  visit(program, (node) => {
    for (const ban of bans) {
      if (!ban.matches(node)) continue;
      const line = text.slice(0, node.start).split("\n").length;
      complaints.push(`${file}:${line}: ${ban.name} is banned here: ${ban.remedy}.`);
    }
  });
  return complaints;
}

const files = globSync("{server,electron,renderer,resources}/**/*.{ts,tsx}").toSorted();
const complaints = [...new Set(files.flatMap(check))];
for (const complaint of complaints) console.error(complaint);
if (complaints.length === 0) console.log(`banned names: ${files.length} source files, none used`);
process.exitCode = complaints.length === 0 ? 0 : 1;
