import type { RequestDetails } from "../../../server/contract/pos/request-log.ts";

/**
 * Returns a shell command that repeats a request. The address and the key stay variables, as in the
 * integrators' guide.
 */
export function toCurl({ method, path, request }: RequestDetails): string {
  const parts = [
    `curl -sS -X ${method} "$BASE"${quote(path)}`,
    `-H "Authorization: Bearer $KEY"`,
    ...(request.text === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d ${quote(request.text)}`]),
  ];
  return parts.join(" \\\n  ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
