import { Problem } from "../contract/problem.ts";
import type { App } from "./app-types.ts";

/**
 * Refuses a body with half of a character in a text: such a text is another one once it is kept, what
 * arrives twice would not be known again, and strict readers take no record that has it.
 */
export function requireWholeText(app: App): void {
  app.addHook("preValidation", (request, _reply, done) => {
    const field = findBrokenText(request.body);
    if (field === undefined) return done();
    const rule = "has half of a character";
    done(new Problem("INVALID_REQUEST", `${field} ${rule}.`, { [field]: rule }));
  });
}

/** Where the first such text stands, such as `lines.0.title`; `body` where it is all there is. */
function findBrokenText(body: unknown): string | undefined {
  const rest: [path: string, value: unknown][] = [["", body]];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [path, value] = next;
    if (typeof value === "string" && !value.isWellFormed()) return path || "body";
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value).reverse()) {
      rest.push([path === "" ? name : `${path}.${name}`, inner]);
    }
  }
  return undefined;
}
