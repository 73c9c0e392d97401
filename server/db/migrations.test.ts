import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { auditBooks } from "../modules/books/audit/index.ts";
import { type Db, openScratchDatabase } from "./database.ts";
import { findSchemaVersion, migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";

/** A shop's data goes through every later migration. */
let db: Db;
beforeEach(() => {
  db = openScratchDatabase();
});
afterEach(() => db.destroy());

async function migrateUpTo(last: string): Promise<void> {
  const known = Object.entries(migrations).filter(([name]) => name <= last);
  await migrate(db, Object.fromEntries(known));
}

const AT = 1_768_469_400_000;

/** One top-up of 26.35 GTQ, sold for a note of 50. */
const SOLD = [
  `insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
    values ('default', 'USD', 100, ${AT})`,
  `insert into staff (account_id, staff_id, name, role, pin_hash, active, failed_attempts, created_at)
    values ('default', 'olga', 'Olga', 'owner', 'x', 1, 0, ${AT})`,
  `insert into transactions (account_id, environment, transaction_id, type, product_type, status,
      amount, currency, currency_divisor, created_at, updated_at, needs_reconciliation)
    values ('default', 'test', 't1', 'DEBIT', 'TOPUP', 'ACCEPTED', 297, 'USD', 100, ${AT}, ${AT}, 0)`,
  `insert into purchases (account_id, environment, transaction_id, offer_id, brand, brand_name,
      country, recipient, cost_base, cost_fee, price_base, price_fee, price_currency,
      price_currency_divisor, send, send_currency, send_currency_divisor, offer_json, input_json,
      attempts, attempt_state)
    values ('default', 'test', 't1', 'TIGO', 'TIGO', 'Tigo', 'GT', '+50251234567', 297, 0, 2600, 35,
      'GTQ', 100, 2500, 'GTQ', 100, '{}', '{}', 0, 'NONE')`,
  `insert into sales (account_id, environment, sale_id, sale_number, staff_id, currency,
      currency_divisor, total, tender_kind, tendered, change_given, request_hash, created_at)
    values ('default', 'test', 's1', 1, 'olga', 'GTQ', 100, 2635, 'CASH', 5000, 2365, 'h', ${AT})`,
  `insert into sale_lines (account_id, environment, sale_id, position, transaction_id, recipient,
      created_at)
    values ('default', 'test', 's1', 0, 't1', '+50251234567', ${AT})`,
  `insert into receipt_prints (account_id, environment, sale_id, copy_number, staff_id, printed_at)
    values ('default', 'test', 's1', 0, 'olga', ${AT})`,
];

/** It failed; its money was handed back by card, and for one that had cost nothing none was. */
const FAILED = `update transactions set status = 'FAILED', finished_at = ${AT + 1},
  error_code = 'PROVIDER_REJECTED'`;
const CUSTOMER_REFUND = [
  FAILED,
  `insert into transaction_log (account_id, environment, transaction_id, position, logged_at, status,
      message)
    values ('default', 'test', 't1', 0, ${AT + 1}, 'FAILED', 'Rejected')`,
  `insert into shifts (account_id, environment, shift_id, staff_id, currency, currency_divisor,
      opened_at, opening_float)
    values ('default', 'test', 'h1', 'olga', 'GTQ', 100, ${AT}, 0)`,
  `insert into give_backs (account_id, environment, give_back_id, sale_id, staff_id, kind, amount,
      request_hash, created_at, shift_id)
    values ('default', 'test', 'g1', 's1', 'olga', 'CARD', 2635, 'h', ${AT + 2}, 'h1'),
      ('default', 'test', 'g0', 's1', 'olga', 'CASH', 0, 'h', ${AT + 2}, 'h1')`,
  `insert into give_back_lines (account_id, environment, transaction_id, give_back_id, sale_id, amount)
    values ('default', 'test', 't1', 'g1', 's1', 2635)`,
  `insert into approvals (account_id, environment, approval_id, requested_by, approved_by, subject,
      needs, created_at, expires_at)
    values ('default', 'test', 'a1', 'olga', 'olga', 's1', 'giveBack', ${AT}, ${AT + 300_000})`,
  `update staff set rights_json = '{"giveBack":false,"reprint":true}'`,
  `insert into audit_trail (account_id, staff_id, action, subject, detail_json, recorded_at)
    values ('default', 'olga', 'sale.give-back', 's1', '{"amount":2635}', ${AT}),
      ('default', 'olga', 'staff.rights', 'olga', '{"giveBack":false}', ${AT})`,
];

describe("a sale from before a sale was paid in several ways", () => {
  it("was paid in cash, without a discount, and is otherwise as it was", async () => {
    await migrateUpTo("007-open-reconciliations");
    for (const statement of SOLD) await sql.raw(statement).execute(db);
    await migrate(db);
    const [sale] = await db.selectFrom("sales").selectAll().execute();
    expect(sale).toMatchObject({ sale_number: 1, total: 2_635, discount: 0, approved_by: null });
    expect(await db.selectFrom("sale_tenders").selectAll().execute()).toMatchObject([
      { sale_id: "s1", kind: "CASH", amount: 2_635, tendered: 5_000, reference: null },
    ]);
    expect(await db.selectFrom("sale_lines").selectAll().execute()).toMatchObject([
      { transaction_id: "t1", product_type: "TOPUP", price: 2_635, discount: 0, created_at: AT },
    ]);
    const { checks } = await auditBooks(db);
    const broken = checks.filter(({ violations }) => violations.length > 0);
    // A purchase that no gateway made has no log and no job.
    expect(broken.map(({ name }) => name).sort()).toEqual([
      "every unfinished purchase has a job that will take it on",
      "the last log entry of every transaction is its status",
    ]);
  });
});

describe("receipts that were mailed before what became of them stood with each", () => {
  it("have what became of their mails, and those that were handed over stay as they were", async () => {
    await migrateUpTo("007-open-reconciliations");
    for (const statement of SOLD) await sql.raw(statement).execute(db);
    await migrateUpTo("094-sent-addresses");
    const mails = ["'SENT', null", "'FAILED', 'no such person'", "'WAITING', 'busy'"];
    for (const [n, mail] of mails.entries()) {
      await sql
        .raw(
          `insert into mails (account_id, mail_id, recipients_json, subject, body, state, fault, created_at)
            values ('default', 'm${n}', '[]', '', '', ${mail}, ${AT + n})`,
        )
        .execute(db);
    }
    for (const [n, mailId] of ["'m0'", "'m1'", "'m2'", "null"].entries()) {
      const [way, state] = mailId === "null" ? ["MESSAGE", "SENT"] : ["EMAIL", "WAITING"];
      await sql
        .raw(
          `insert into receipt_sendings (account_id, environment, sending_id, sale_id, way, recipient,
              mail_id, staff_id, language, state, created_at)
            values ('default', 'test', 'd${n}', 's1', '${way}', 'a@example.com', ${mailId}, 'olga', 'en',
              '${state}', ${AT})`,
        )
        .execute(db);
    }
    await migrate(db);
    const rows = await db
      .selectFrom("receipt_sendings")
      .select(["sending_id", "state", "fault", "ended_at"])
      .orderBy("sending_id")
      .execute();
    expect(rows).toEqual([
      { sending_id: "d0", state: "SENT", fault: null, ended_at: AT },
      { sending_id: "d1", state: "FAILED", fault: "no such person", ended_at: AT + 1 },
      { sending_id: "d2", state: "WAITING", fault: "busy", ended_at: null },
      { sending_id: "d3", state: "SENT", fault: null, ended_at: null },
    ]);
  });
});

describe("money that was given back before it went back in several ways", () => {
  beforeEach(async () => {
    await migrateUpTo("007-open-reconciliations");
    for (const statement of SOLD) await sql.raw(statement).execute(db);
    await migrateUpTo("014-receipt-text");
    for (const statement of CUSTOMER_REFUND) await sql.raw(statement).execute(db);
    await migrate(db);
  });

  it("went the one way it did, and nothing is missing in the books", async () => {
    expect(await db.selectFrom("customer_refund_tenders").selectAll().execute()).toEqual([
      {
        account_id: "default",
        environment: "test",
        customer_refund_id: "g1",
        kind: "CARD",
        tender_id: "",
        tender_name: "",
        amount: 2_635,
      },
    ]);
    const [none, all] = await db
      .selectFrom("customer_refunds")
      .selectAll()
      .orderBy("amount")
      .execute();
    expect(none).toMatchObject({ customer_refund_id: "g0", amount: 0 });
    expect(all).toEqual({
      account_id: "default",
      environment: "test",
      customer_refund_id: "g1",
      sale_id: "s1",
      staff_id: "olga",
      approved_by: null,
      amount: 2_635,
      request_hash: "h",
      created_at: AT + 2,
      shift_id: "h1",
      till: "BEFORE",
      cash_rounding: 0,
    });
    const { checks } = await auditBooks(db);
    expect(checks.filter(({ violations }) => violations.length > 0)).toEqual([]);
  });

  it.each([
    "update customer_refunds set amount = 1",
    "delete from customer_refunds where customer_refund_id = 'g0'",
    "update customer_refund_tenders set amount = 1",
    "delete from customer_refund_tenders",
  ])("stays on record: %s", async (change) => {
    await expect(sql.raw(change).execute(db)).rejects.toThrow("is append-only");
  });

  it("is called by its new name in rights and in the audit trail, which still takes no change", async () => {
    const rights = await db.selectFrom("staff").select("rights_json").execute();
    expect(rights).toEqual([{ rights_json: '{"customerRefund":false,"reprint":true}' }]);
    const entries = await db.selectFrom("audit_trail").select(["action", "detail_json"]).execute();
    expect(entries).toEqual([
      { action: "sale.customer-refund", detail_json: '{"amount":2635}' },
      { action: "staff.rights", detail_json: '{"customerRefund":false}' },
    ]);
    const change = sql.raw("update audit_trail set action = 'x'").execute(db);
    await expect(change).rejects.toThrow("is append-only");
  });

  it("was approved for no request that could come now, and nobody knows what was shown", async () => {
    const approvals = db.selectFrom("approvals").select(["approval_id", "request_digest", "needs"]);
    expect(await approvals.execute()).toEqual([
      { approval_id: "a1", request_digest: "", needs: "customerRefund" },
    ]);
  });
});

/** A voucher and an eSIM that were delivered, and what a webhook was sent of the first. */
const HANDED_OVER = [
  `update transactions set status = 'DONE', finished_at = ${AT + 5}`,
  `update purchases set fulfilment_json = '{"receipt":{"epin":"1234"},"confirmation":{}}'`,
  ...["t2", "t3"].flatMap((id) => [
    `insert into transactions (account_id, environment, transaction_id, type, product_type, status,
        amount, currency, currency_divisor, created_at, updated_at, finished_at, needs_reconciliation)
      select account_id, environment, '${id}', type, product_type, status, amount, currency,
        currency_divisor, created_at, updated_at, ${AT + 6}, 0 from transactions
      where transaction_id = 't1'`,
    `insert into purchases (account_id, environment, transaction_id, offer_id, brand, brand_name,
        country, recipient, cost_base, cost_fee, price_base, price_fee, price_currency,
        price_currency_divisor, send, send_currency, send_currency_divisor, offer_json, input_json,
        attempts, attempt_state, fulfilment_json)
      select account_id, environment, '${id}', offer_id, brand, brand_name, country, recipient,
        cost_base, cost_fee, price_base, price_fee, price_currency, price_currency_divisor, send,
        send_currency, send_currency_divisor, offer_json, input_json, attempts, attempt_state,
        ${id === "t2" ? `'{"esim":{"iccid":"8901","activationCode":"LPA:1"}}'` : `'{"confirmation":{}}'`}
      from purchases where transaction_id = 't1'`,
  ]),
  `insert into webhook_endpoints (account_id, environment, endpoint_id, kind, url, secret_sealed,
      allow_private, created_at) values ('default', 'test', 'e1', 'VOUCHER', 'http://h', 's', 0, ${AT})`,
  `insert into webhook_deliveries (account_id, environment, delivery_id, endpoint_id, transaction_id,
      body, state, created_at)
    values ('default', 'test', 'd1', 'e1', 't1', '{"receipt":{"epin":"1234"}}', 'DELIVERED', ${AT})`,
  `insert into webhook_attempts values
    ('default', 'test', 'd1', 0, ${AT}, ${AT + 1}, 200, '{"got":"1234"}', null)`,
];

describe("what was handed over before it was encrypted", () => {
  beforeEach(async () => {
    await migrateUpTo("007-open-reconciliations");
    for (const statement of [...SOLD, ...HANDED_OVER]) await sql.raw(statement).execute(db);
    await migrate(db);
  });

  it("is marked to be encrypted, with when it was delivered, and is there until then", async () => {
    const purchases = await db
      .selectFrom("purchases")
      .select([
        "transaction_id",
        "details_state",
        "details_at",
        "details_sealed",
        "fulfilment_json",
      ])
      .orderBy("transaction_id")
      .execute();
    expect(purchases).toMatchObject([
      { details_state: "CLEAR", details_at: AT + 5, details_sealed: null },
      { details_state: "CLEAR", details_at: AT + 6, details_sealed: null },
      { details_state: null, details_at: null, details_sealed: null },
    ]);
    expect(purchases[0]?.fulfilment_json).toContain("1234");
    const [account] = await db.selectFrom("accounts").select("keep_details_days").execute();
    expect(account).toEqual({ keep_details_days: 90 });
  });

  it("is found by an index, and so is what webhooks were sent of it", async () => {
    for (const [query, index] of [
      ["purchases where details_state = 'CLEAR'", "purchases_details"],
      [
        "webhook_deliveries where sequence > 0 and substr(body, 1, 1) = '{'",
        "webhook_deliveries_clear",
      ],
    ]) {
      const { rows } = await sql<{ detail: string }>`explain query plan
        select * from ${sql.raw(query ?? "")}`.execute(db);
      expect(rows[0]?.detail).toContain(index);
    }
  });

  it("and what a receiver answered is forgotten, since it may repeat it", async () => {
    expect(await db.selectFrom("webhook_attempts").select(["status", "answer"]).execute()).toEqual([
      { status: 200, answer: null },
    ]);
  });
});

describe("somebody who was locked before wrong PINs were counted by device", () => {
  it("is as before, at every device, and has used none", async () => {
    await migrateUpTo("007-open-reconciliations");
    for (const statement of SOLD) await sql.raw(statement).execute(db);
    const locked = `update staff set failed_attempts = 7, locked_until = ${AT + 240_000}`;
    await sql.raw(locked).execute(db);
    await migrate(db);
    const [olga] = await db.selectFrom("staff").selectAll().execute();
    expect(olga).toMatchObject({ pin_hash: "x", failed_attempts: 7, signed_in_at: null });
    expect(olga?.locked_until).toBe(AT + 240_000);
    expect(await db.selectFrom("staff_devices").selectAll().execute()).toEqual([]);
    expect(await db.selectFrom("pin_guesses").selectAll().execute()).toEqual([]);
  });
});

describe("a printer from before only the usual ports were open", () => {
  it("keeps the port it has", async () => {
    await migrateUpTo("007-open-reconciliations");
    await sql.raw(SOLD[0] ?? "").execute(db);
    await migrateUpTo("017-customer-refund-tenders");
    for (const [id, port] of [
      ["a", 4_000],
      ["b", 9_100],
      ["c", 4_000],
      ["d", 515],
    ] as const) {
      await sql`insert into printers values ('default', ${id}, 'P', 'printer', ${port}, '80mm', 0, ${AT})`.execute(
        db,
      );
    }
    await migrate(db);
    const accounts = await db.selectFrom("accounts").select("printer_ports_json").execute();
    expect(accounts).toEqual([{ printer_ports_json: "[515,4000]" }]);
  });
});

describe("what was sold before training was told apart", () => {
  it("is the shop's own, and is found by the index of each list", async () => {
    await migrateUpTo("007-open-reconciliations");
    for (const statement of SOLD) await sql.raw(statement).execute(db);
    await migrate(db);
    for (const table of ["transactions", "sales", "held_sales"] as const) {
      const rows = await db.selectFrom(table).select("training").execute();
      expect(rows).toEqual(table === "held_sales" ? [] : [{ training: 0 }]);
    }
    const { rows } = await sql<{ detail: string }>`explain query plan
      select count(*) from transactions where account_id = 'default' and environment = 'test'
        and training = 0`.execute(db);
    expect(rows[0]?.detail).toContain("COVERING INDEX");
  });

  it.each(["transactions", "sales", "held_sales"])("%s takes no other mark", async (table) => {
    await migrate(db);
    const { rows } = await sql<{ sql: string }>`
      select sql from sqlite_schema where name = ${table}`.execute(db);
    expect(rows[0]?.sql).toContain("check (training in (0, 1))");
  });
});

describe("rows of before there were checksums", () => {
  it("have one afterwards, and are counted", async () => {
    await migrateUpTo("007-open-reconciliations");
    for (const statement of SOLD) await sql.raw(statement).execute(db);
    await migrate(db);
    const kept = async () => {
      const { checks } = await auditBooks(db);
      const found = checks.find(({ name }) => name === "what was stored is as it was written");
      return found?.violations;
    };
    expect(await kept()).toEqual([]);
    const [count] = await db.selectFrom("commit_count").selectAll().execute();
    expect(count).toMatchObject({ transactions: 1, committed_at: AT });
    for (const [table, change] of [
      ["transactions", "amount = amount + 1"],
      ["purchases", "recipient = '+50251234568'"],
      ["sales", "request_hash = 'i'"],
      ["sale_lines", "recipient = '+50251234568'"],
    ]) {
      await sql.raw(`update ${table} set ${change}`).execute(db);
      expect(await kept()).toContainEqual(expect.stringMatching(`^${table} 1 was changed`));
    }
  });
});

describe("webhooks of an earlier version", () => {
  it("are kept with their deliveries, and a new family's results can be told of", async () => {
    await migrateUpTo("037-ledger-by-time");
    const endpoint = (id: string, kind: string) =>
      sql`insert into webhook_endpoints (account_id, environment, endpoint_id, kind, url,
          secret_sealed, allow_private, created_at)
        values ('default', 'test', ${id}, ${kind}, 'https://shop.example', 'sealed', 0, ${AT})`;
    await sql.raw(SOLD[0] ?? "").execute(db);
    await endpoint("w1", "TOPUP").execute(db);
    await expect(endpoint("w2", "DONATION").execute(db)).rejects.toThrow("CHECK");
    await migrate(db);
    const kept = await db.selectFrom("webhook_endpoints").selectAll().execute();
    expect(kept).toMatchObject([{ endpoint_id: "w1", kind: "TOPUP", created_at: AT }]);
    await endpoint("w2", "DONATION").execute(db);
    await expect(endpoint("w3", "DONATION").execute(db)).rejects.toThrow("UNIQUE");
  });
});

describe("transactions of before they were counted", () => {
  it("are counted afterwards, and later ones beside them", async () => {
    await migrateUpTo("007-open-reconciliations");
    for (const statement of SOLD) await sql.raw(statement).execute(db);
    await sql.raw(FAILED).execute(db);
    await migrate(db);
    const counts = () =>
      db.selectFrom("transaction_counts").select(["width", "period", "finished"]).execute();
    const periods = [22, 28, 34].map((width) => ({ width, period: Math.floor(AT / 2 ** width) }));
    expect(await counts()).toEqual(periods.map((period) => ({ ...period, finished: 1 })));
    await sql`insert into transactions (account_id, environment, transaction_id, type, product_type,
        status, amount, currency, currency_divisor, created_at, updated_at, finished_at, error_code)
      select account_id, environment, 't2', type, product_type, status, amount, currency,
        currency_divisor, created_at, updated_at, finished_at, error_code
      from transactions`.execute(db);
    expect(await counts()).toEqual(periods.map((period) => ({ ...period, finished: 2 })));
  });
});

describe("what was sold before its cost was kept", () => {
  it("has the cost at the rate of now, and is in the figures, and owed where it failed", async () => {
    await migrateUpTo("007-open-reconciliations");
    for (const statement of SOLD) await sql.raw(statement).execute(db);
    await sql.raw(FAILED).execute(db);
    await migrateUpTo("043-audit-trail-by-time");
    await sql`insert into shops (account_id, name, currency, currency_divisor, rate, language,
        till_environment, created_at, updated_at)
      values ('default', 'Shop', 'GTQ', 100, '7.75', 'en', 'test', ${AT}, ${AT})`.execute(db);
    await migrate(db);
    const [line] = await db.selectFrom("sale_lines").selectAll().execute();
    expect(line).toMatchObject({ cost: 2_302, rate: "7.75", tax: 0 });
    const [quarter] = await db.selectFrom("figure_quarters").selectAll().execute();
    expect(quarter).toMatchObject({
      quarter: Math.floor(AT / 900_000),
      currency: "GTQ",
      sales: 1,
      paid: 2_635,
      cost: 2_302,
      wallet_cost: 297,
      cash: 2_635,
      paid_back: 2_635,
      cost_back: 2_302,
      sales_back: 1,
      paid_refunded: 0,
    });
    const days = await db.selectFrom("figure_days").select(["dimension", "value"]).execute();
    expect(days).toHaveLength(5);
    expect(days).toContainEqual({ dimension: "CLERK", value: "olga" });
    expect(days).toContainEqual({ dimension: "TILL", value: "BEFORE" });
    const owed = await db.selectFrom("owed_lines").select(["amount", "failed_at"]).execute();
    expect(owed).toEqual([{ amount: 2_635, failed_at: AT + 1 }]);
  });
});

describe("a job from before leases", () => {
  it("is as it was, and nobody's", async () => {
    await migrateUpTo("095-sent-receipts");
    const job = {
      kind: "work",
      subject: "s",
      run_at: AT,
      attempts: 2,
      last_error: "no",
      revision: 7,
    };
    await db.insertInto("jobs").values(job).execute();
    await migrate(db);
    expect(await db.selectFrom("jobs").selectAll().execute()).toEqual([
      { ...job, lease_owner: null, lease_until: null },
    ]);
  });
});

describe("a migration that fails", () => {
  it("leaves the database as it was before the first of them", async () => {
    await migrateUpTo("007-open-reconciliations");
    for (const statement of SOLD) await sql.raw(statement).execute(db);
    const before = await findSchemaVersion(db);
    const faulty = {
      async up(half: Kysely<unknown>): Promise<void> {
        await sql`drop table receipt_prints`.execute(half);
        throw new Error("no space left");
      },
    };
    await expect(migrate(db, { ...migrations, "999-faulty": faulty })).rejects.toThrow("no space");
    expect(await findSchemaVersion(db)).toEqual(before);
    const { rows } = await sql`select tendered, change_given from sales`.execute(db);
    expect(rows).toEqual([{ tendered: 5_000, change_given: 2_365 }]);
    expect(await db.selectFrom("receipt_prints").selectAll().execute()).toHaveLength(1);
    await migrate(db);
    expect((await findSchemaVersion(db))?.pending).toEqual([]);
  });
});

it("puts no migration before one that shops have run: their databases would not start", () => {
  const ran = Object.keys(migrations).filter((name) => name <= "085-brand-logos");
  expect(ran).toHaveLength(65);
});
