import type { Plugin } from "vite";

const LIBRARY = "typebox";
const STAND_IN = "\0tillgate:no-schemas";

/**
 * Properties of an operation's declaration that contain the schemas of its requests and responses.
 */
const SHAPES: ReadonlySet<string> = new Set(["params", "query", "body", "answer", "events"]);
const DECLARES: ReadonlySet<string> = new Set(["defineOperation", "defineStream"]);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Declaration extends Node {
  readonly callee: Node & { readonly name?: string };
  readonly arguments: readonly (Node & { readonly properties?: readonly Property[] })[];
}

interface Property extends Node {
  readonly key: Node & { readonly name?: string };
}

/**
 * Removes the API contract's schemas from the pages, which use only their types. A schema is a call
 * of `Type` inside an operation's declaration. Without the properties that contain these calls, the
 * bundler drops the calls.
 */
export function withoutSchemas(): Plugin {
  return {
    name: "tillgate:without-schemas",
    apply: "build",
    enforce: "pre",
    resolveId: (source) => (source === LIBRARY ? STAND_IN : undefined),
    load(id) {
      // Some schemas are built from the `properties` of other schemas.
      return id === STAND_IN
        ? "export const Type = new Proxy({}, { get: () => () => ({ properties: {} }) });"
        : undefined;
    },
    transform: {
      filter: { id: /\/server\/contract\/.*\.ts$/ },
      handler(code) {
        if (!/\bdefine(Operation|Stream)\(/.test(code)) return undefined;
        const shapes = shapesIn(this.parse(code, { lang: "ts" }));
        return { code: shapes.reduceRight(cut, code), map: null };
      },
    },
  };
}

function shapesIn(tree: unknown): Node[] {
  if (Array.isArray(tree)) return tree.flatMap(shapesIn);
  if (typeof tree !== "object" || tree === null) return [];
  const inside = Object.values(tree).flatMap(shapesIn);
  return isDeclaration(tree) ? [...inside, ...shapesOf(tree)] : inside;
}

function isDeclaration(node: object): node is Declaration {
  const { type, callee } = node as Partial<Declaration>;
  return type === "CallExpression" && DECLARES.has(callee?.name ?? "");
}

function shapesOf({ arguments: given }: Declaration): Property[] {
  return given
    .flatMap(({ properties = [] }) => properties)
    .filter(({ key }) => SHAPES.has(key?.name ?? ""));
}

function cut(code: string, { start, end }: Node): string {
  return code.slice(0, start) + code.slice(end).replace(/^\s*,/, "");
}
