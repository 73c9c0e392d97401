export interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

export function textOf({ type, value, quasis }: Node): string {
  if (type === "Literal") return typeof value === "string" ? value : "";
  if (type !== "TemplateLiteral") return "";
  const [first] = quasis as { value: { cooked: string } }[];
  return first?.value.cooked ?? "";
}

export function isIdentifier(value: unknown, name: string): boolean {
  return isNode(value) && value.type === "Identifier" && value.name === name;
}

export function isGlobal(value: unknown, name: string): boolean {
  return isIdentifier(value, name) || (isNode(value) && isMember(value, "globalThis", name));
}

export function isMember(node: Node, object: string, property: string): boolean {
  if (node.type !== "MemberExpression") return false;
  const isObject =
    object === "globalThis" ? isIdentifier(node.object, object) : isGlobal(node.object, object);
  const key = node.property as Node;
  return isObject && (isIdentifier(key, property) || key.value === property);
}

/** Matches `const { property } = object`. */
export function isTakenFrom(node: Node, object: string, property: string): boolean {
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
export function isOfElement({ typeArguments }: Node): boolean {
  const [type, ...more] = isNode(typeArguments) ? (typeArguments.params as Node[]) : [];
  const name = type?.type === "TSTypeReference" && isNode(type.typeName) ? type.typeName.name : "";
  return more.length === 0 && /^(HTML\w*|SVG\w*)?Element$/.test(String(name));
}

export function isUntypedFunction({ id, init }: Node): boolean {
  const isFunction = isNode(init) && /^(ArrowFunction|Function)Expression$/.test(init.type);
  return isFunction && isNode(id) && (id.typeAnnotation ?? null) === null;
}

export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

export function isImportOf(node: Node, source: RegExp): boolean {
  const isImport = node.type === "ImportDeclaration" || node.type === "ImportExpression";
  return isImport && isNode(node.source) && source.test(String(node.source.value));
}

/** Visits every node that exists at run time. Skips types and property keys. */
export function visit(value: unknown, see: (node: Node) => void): void {
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
export function markFileConstants(statements: readonly unknown[]): void {
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
