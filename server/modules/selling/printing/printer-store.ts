import { Type } from "typebox";
import type { Printer } from "../../../contract/pos/printers.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { readColumn } from "../../../db/stored-json.ts";

export async function listPrinters(db: Db | Tx, accountId: string): Promise<Printer[]> {
  const rows = await db
    .selectFrom("printers")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .orderBy("printer_id")
    .execute();
  return rows.map((row) => ({
    printerId: row.printer_id,
    name: row.name,
    host: row.host,
    port: row.port,
    paper: row.paper,
    drawer: row.drawer === 1,
    drawerPin: row.drawer_pin,
    lineLetters: row.line_letters,
    headDots: row.head_dots,
  }));
}

export async function findPrinter(
  db: Db | Tx,
  accountId: string,
  printerId: string,
): Promise<Printer | undefined> {
  return (await listPrinters(db, accountId)).find((printer) => printer.printerId === printerId);
}

export async function putPrinter(
  tx: Tx,
  accountId: string,
  { printerId, name, host, port, paper, drawer, drawerPin, ...head }: Printer,
  at: number,
): Promise<void> {
  const flag = drawer ? (1 as const) : (0 as const);
  const values = {
    name,
    host,
    port,
    paper,
    drawer: flag,
    drawer_pin: drawerPin,
    line_letters: head.lineLetters,
    head_dots: head.headDots,
  };
  await tx
    .insertInto("printers")
    .values({ account_id: accountId, printer_id: printerId, created_at: at, ...values })
    .onConflict((conflict) => conflict.columns(["account_id", "printer_id"]).doUpdateSet(values))
    .execute();
}

export async function removePrinter(tx: Tx, accountId: string, printerId: string): Promise<void> {
  await tx
    .deleteFrom("printers")
    .where("account_id", "=", accountId)
    .where("printer_id", "=", printerId)
    .execute();
}

const Ports = Type.Array(Type.Integer());

export async function listPrinterPorts(db: Db | Tx, accountId: string): Promise<number[]> {
  const row = await db
    .selectFrom("accounts")
    .select("printer_ports_json")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return readColumn(Ports, row.printer_ports_json, {
    table: "accounts",
    column: "printer_ports_json",
    row: accountId,
  });
}

export async function setPrinterPorts(tx: Tx, accountId: string, ports: number[]): Promise<void> {
  await tx
    .updateTable("accounts")
    .set({ printer_ports_json: JSON.stringify(ports) })
    .where("account_id", "=", accountId)
    .execute();
}
