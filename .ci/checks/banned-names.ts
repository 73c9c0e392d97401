/**
 * Finds uses of code that only one file or folder may use: the clock, the environment, Electron's
 * IPC, dialogs, the till's API operations and their response keys, and state outside React. Also
 * bans arrow functions in file-level constants.
 */

import { globSync, readFileSync } from "node:fs";
import { parseSync } from "vite";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

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

/** Matches `const { property } = object`. */
function isTakenFrom(node: Node, object: string, property: string): boolean {
  return (
    node.type === "VariableDeclarator" &&
    isGlobal(node.init, object) &&
    isNode(node.id) &&
    node.id.type === "ObjectPattern" &&
    (node.id.properties as Node[]).some(({ key }) => isIdentifier(key, property))
  );
}

/**
 * Matches `useRef<HTMLInputElement>(null)` and other calls with an HTML element as their only type.
 */
function isOfElement({ typeArguments }: Node): boolean {
  const [type, ...more] = isNode(typeArguments) ? (typeArguments.params as Node[]) : [];
  const name = type?.type === "TSTypeReference" && isNode(type.typeName) ? type.typeName.name : "";
  return more.length === 0 && /^(HTML\w*|SVG\w*)?Element$/.test(String(name));
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

/** Visits every node that exists at run time. Skips types and property keys. */
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

/** Marks declarators outside functions, to which some bans are limited. */
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

interface Ban {
  readonly name: string;
  readonly applies: RegExp;
  readonly except: RegExp;
  readonly remedy: string;
  readonly matches: (node: Node) => boolean;
}

interface Comment {
  readonly value: string;
  readonly start: number;
}

const TEST = String.raw`\.test\.tsx?$|^(server|renderer)/testing/`;
const USE_CLOCK = "take a Clock as an argument; only server/lib/clock.ts reads the machine's clock";
const USE_CONFIG =
  "read it in server/config/env.ts (or electron/env.ts) and pass the checked value";

const OUTSIDE_CLOCK = {
  applies: /^server\//,
  except: new RegExp(`${TEST}|^server/lib/clock\\.ts$`),
};
const OUTSIDE_ENV = {
  applies: /^(server|electron|renderer|resources)\//,
  except: new RegExp(`${TEST}|^server/config/env\\.ts$|^electron/env\\.ts$`),
};

/** Tests and their support code, which must not wait for real time to pass. */
const TIMELESS = /^(server|electron|packaging|resources)\/(.*\.test\.ts$|(.*\/)?testing\/)/;
/** End-to-end tests, without benchmarks, which type at the speed of a person. */
const TIMELESS_PAGES = /^e2e\/(?!bench\/)/;
const USE_EVENTS =
  "wait for an event or a state (server/testing/until.ts), or advance the fake clock";

const BANS: readonly Ban[] = [
  {
    name: "node:timers in a test",
    applies: TIMELESS,
    except: /^$/,
    remedy: USE_EVENTS,
    matches: (n) => isImportOf(n, /^(node:)?timers(\/|$)/),
  },
  {
    name: "a promise of setTimeout",
    applies: TIMELESS,
    except: /^$/,
    remedy: USE_EVENTS,
    matches: isPromiseOfTimeout,
  },
  {
    name: "waitForTimeout",
    applies: TIMELESS_PAGES,
    except: /^$/,
    remedy: "wait for a state of the page by expect or locator.waitFor",
    matches: (n) => n.type === "MemberExpression" && isIdentifier(n.property, "waitForTimeout"),
  },
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
    remedy: "expose it in electron/preload, the only script with access to page and shell",
    matches: (n) => n.type === "ImportSpecifier" && isIdentifier(n.imported, "contextBridge"),
  },
  ...["Modal", "Drawer"].map((name) => ({
    name: `${name} of Mantine`,
    applies: /^renderer\//,
    except: new RegExp(`${TEST}|^renderer/components/dialog/`),
    remedy:
      "use Dialog of renderer/components/dialog: it traps the focus and the keys of the screen below",
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
    name: "a literal query key",
    applies: /^renderer\//,
    except: new RegExp(TEST),
    remedy: "use queryKeyOf or operationQuery of renderer/lib/operation-query.ts",
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
    name: "a ref that is not an element's",
    applies: /^renderer\//,
    except: new RegExp(TEST),
    remedy:
      "keep it in a reducer, in useState or a mutation, or in a class outside React; renderer/lib/use-before.ts returns earlier values",
    matches: (n) =>
      n.type === "CallExpression" && isIdentifier(n.callee, "useRef") && !isOfElement(n),
  },
  {
    name: "a spread of {}",
    applies: /^(server|electron|renderer|resources)\//,
    except: /^server\/db\/migrations\//,
    remedy: "write ...(condition && { … })",
    matches: (n) =>
      (n.type === "SpreadElement" || n.type === "JSXSpreadAttribute") &&
      isNode(n.argument) &&
      isChoiceOfNothing(n.argument),
  },
  {
    name: "a click on an element",
    applies: /^renderer\//,
    except: new RegExp(TEST),
    remedy: "run the element's command; renderer/lib/screen-commands.ts has those of a screen",
    matches: (n) =>
      n.type === "CallExpression" &&
      isNode(n.callee) &&
      isIdentifier(n.callee.property, "click") &&
      isEmptyList(n.arguments),
  },
  {
    name: "a function as a constant of the file",
    applies: /^(server|electron|renderer|resources)\//,
    except: new RegExp(TEST),
    remedy: "write a function declaration, or give the constant the type it must have",
    matches: (n) => n.type === "VariableDeclarator" && n.isOfFile === true && isUntypedFunction(n),
  },
];

function isPromiseOfTimeout(node: Node): boolean {
  if (node.type !== "NewExpression" || !isGlobal(node.callee, "Promise")) return false;
  let isFound = false;
  visit(node.arguments, (inner) => {
    isFound ||= inner.type === "CallExpression" && isGlobal(inner.callee, "setTimeout");
  });
  return isFound;
}

/** Matches `condition ? … : {}`, with or without parentheses. */
function isChoiceOfNothing(node: Node): boolean {
  if (node.type === "ParenthesizedExpression") {
    return isNode(node.expression) && isChoiceOfNothing(node.expression);
  }
  return (
    node.type === "ConditionalExpression" &&
    [node.consequent, node.alternate].some(
      (side) => isNode(side) && side.type === "ObjectExpression" && isEmptyList(side.properties),
    )
  );
}

/** Lists linter suppressions that hide the dependencies of a React effect. */
function listSuppressions(file: string, text: string, comments: readonly Comment[]): string[] {
  const hidden = comments.filter(({ value }) =>
    /(biome-ignore|(ox|es)lint-disable).*(useExhaustiveDependencies|exhaustive-deps)/.test(value),
  );
  return hidden.map(
    ({ start }) =>
      `${file}:${lineAt(text, start)}: suppressing a list of dependencies is banned here: ` +
      "list the values that the effect reads, read them in a useEffectEvent, or remount with another key.",
  );
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function check(file: string): string[] {
  const bans = BANS.filter((ban) => ban.applies.test(file) && !ban.except.test(file));
  if (bans.length === 0) return [];
  const text = readFileSync(file, "utf8");
  const { program, comments, errors } = parseSync(file, text);
  markFileConstants(program.body);
  if (errors.length > 0) return [`${file}: cannot be parsed: ${errors[0]?.message}`];
  const complaints = listSuppressions(file, text, comments);
  visit(program, (node) => {
    for (const ban of bans) {
      if (!ban.matches(node)) continue;
      complaints.push(
        `${file}:${lineAt(text, node.start)}: ${ban.name} is banned here: ${ban.remedy}.`,
      );
    }
  });
  return complaints;
}

const files = globSync(
  "{server,electron,renderer,resources,packaging,e2e}/**/*.{ts,tsx}",
).toSorted();
const complaints = [...new Set(files.flatMap(check))];
for (const complaint of complaints) console.error(complaint);
if (complaints.length === 0) console.log(`banned names: ${files.length} source files, none used`);
process.exitCode = complaints.length === 0 ? 0 : 1;
