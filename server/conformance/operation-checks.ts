import type { Check, Findings, Stage } from "./check.ts";
import { CONTRACT_OPERATIONS, type OperationRow, type Row } from "./contract-operations.ts";
import { findCall } from "./finds.ts";
import type { Reply, Target } from "./target.ts";

/** Checks of every operation, from the table of its parameters, fields and record. */

const PURCHASE = /^GET \/(?:\w+\/purchases\/\{|esim\/\{iccId\}|transactions\/\{)/;
const REFUND = "POST /esim/purchases/{transactionId}/refund";

type Values = Record<string, unknown>;
interface Changes {
  readonly path?: Values;
  readonly query?: Values;
  readonly body?: Values;
}

export const OPERATION_CHECKS: readonly Check[] = CONTRACT_OPERATIONS.flatMap((row) => {
  const { name } = row;
  const isPost = name.startsWith("POST ");
  const stage: Stage = PURCHASE.test(name) ? "records" : "read";
  const checks: Check[] = [
    {
      name: `${name} requires the key`,
      clause: "error-statuses",
      stage: "read",
      run: (target, findings) => requiresKey(row, target, findings),
    },
  ];
  // The checks of purchases buy; the refund is checked with them.
  if (!isPost || name.endsWith("/reports/transactions")) {
    checks.push({
      name: `${name} answers with its record`,
      clause: "record-whole",
      stage,
      run: (target, findings) => answersRecord(row, target, findings),
    });
  }
  if (!isPost && row.query) {
    checks.push({
      name: `${name} accepts legal values`,
      clause: "v1-operations",
      stage,
      run: (target, findings) => acceptsLegal(row, target, findings),
    });
  }
  if (name !== REFUND && (row.query ?? row.path ?? row.body)) {
    checks.push({
      name: `${name} refuses illegal and missing values by name`,
      clause: "error-body",
      stage,
      run: (target, findings) => refusesIllegal(row, target, findings),
    });
  }
  if (!isPost) {
    checks.push({
      name: `${name} refuses an unknown parameter`,
      clause: "list-filters",
      stage,
      run: async (target, findings) => {
        const reply = await call(row, target, { query: { conformance: "x" } });
        findings.refused(reply, 400, "INVALID_REQUEST", ["conformance"]);
      },
    });
  }
  return checks;
});

async function requiresKey(row: OperationRow, target: Target, findings: Findings): Promise<void> {
  const [method = "", template = ""] = row.name.split(" ");
  const path = template.replace(/\{\w+\}/g, "x");
  const reply = await target.call(method, path, { key: "" });
  findings.refused(reply, 401, "NOT_AUTHORIZED");
  const asked = reply.headers.get("www-authenticate");
  findings.equal(`${reply.request}: WWW-Authenticate`, asked, "Bearer");
}

async function answersRecord(row: OperationRow, target: Target, findings: Findings): Promise<void> {
  const reply = await call(row, target);
  if (!row.name.endsWith("/qrcode")) {
    findings.answered(reply, row.answer);
    if (row.answer === undefined) {
      const type = "application/octet-stream";
      findings.holds(`${reply.request}: ${type}`, reply.type.startsWith(type), reply.type);
    }
    return;
  }
  findings.answered(reply);
  findings.equal(`${reply.request}: content-type`, reply.type, "image/png");
  findings.equal("a PNG", reply.bytes.subarray(1, 4).toString("latin1"), "PNG");
  const asJson = await call(row, target, {}, { accept: "application/json" });
  findings.answered(asJson, row.answer);
}

async function acceptsLegal(row: OperationRow, target: Target, findings: Findings): Promise<void> {
  const { query: found } = await findCall(target, row.name);
  for (const [name, { legal }] of Object.entries(row.query ?? {})) {
    // The value of a record that exists is checked by the record.
    if (found && name in found) continue;
    for (const value of legal) {
      findings.answered(await call(row, target, { query: { [name]: value } }));
    }
  }
}

async function refusesIllegal(row: OperationRow, target: Target, findings: Findings) {
  for (const place of ["query", "path", "body"] as const) {
    for (const [name, field] of Object.entries<Row>(row[place] ?? {})) {
      const values = field.required && place !== "path" ? [undefined] : [];
      for (const value of [...field.illegal, ...values]) {
        const reply = await call(row, target, { [place]: { [name]: value } });
        findings.refused(reply, 400, "INVALID_REQUEST", [name]);
      }
    }
  }
}

async function call(
  row: OperationRow,
  target: Target,
  changes: Changes = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const [method = "", template = ""] = row.name.split(" ");
  const found = await findCall(target, row.name);
  const parts = { ...found.path, ...changes.path } as Record<string, string | undefined>;
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(parts[name] ?? "x"),
  );
  const query = Object.entries({ ...firstLegal(row.query), ...found.query, ...changes.query })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join("&");
  const body = row.body && { ...firstLegal(row.body), ...found.body, ...changes.body };
  return target.call(method, `${path}${query && `?${query}`}`, { headers, body });
}

/** Returns the first legal value of each required parameter. */
function firstLegal(rows: Readonly<Record<string, Row>> = {}): Values {
  const required = Object.entries(rows).filter(([, row]) => row.required && row.legal.length > 0);
  return Object.fromEntries(required.map(([name, { legal }]) => [name, legal[0]]));
}
