import { afterAll, expect, it } from "vitest";
import { openScratchDatabase } from "./database.ts";
import { inSameScope, inScope } from "./scope-filters.ts";

const db = openScratchDatabase();
afterAll(() => db.destroy());

const SCOPE = { accountId: "default", environment: "test" } as const;
const ROW = { account_id: "default", environment: "test" } as const;

it("a scope filter selects the rows of one account and environment", () => {
  const wanted = 'where ("account_id" = +? and "environment" = +?)';
  for (const query of [
    db.selectFrom("sales").select("total").where(inScope(SCOPE)),
    db.updateTable("sales").set({ total: 1 }).where(inScope(ROW)),
    db.deleteFrom("sales").where(inScope(SCOPE)),
  ]) {
    const { sql, parameters } = query.compile();
    expect(sql).toContain(wanted);
    expect(parameters.slice(-2)).toEqual(["default", "test"]);
  }
});

it("a scope filter names the intended table, and a scope join compares account and environment", () => {
  const { sql } = db
    .selectFrom("sale_lines as l")
    .leftJoin("sales as s", inSameScope("s", "l", "sale_id"))
    .select(["s.total", "l.price"])
    .where(inScope(SCOPE, "l"))
    .compile();
  expect(sql).toContain(
    'on "s"."account_id" = "l"."account_id" and "s"."environment" = "l"."environment" and "s"."sale_id" = "l"."sale_id"',
  );
  expect(sql).toContain('where ("l"."account_id" = +? and "l"."environment" = +?)');
});

it("a scope filter does not compile for tables without account and environment", () => {
  const people = db.selectFrom("staff").select("name");
  // @ts-expect-error people are of an account, in every environment
  expect(people.where(inScope(SCOPE)).compile().sql).toContain("environment");
  const sales = db.selectFrom("sales as s");
  // @ts-expect-error there is no such alias
  expect(sales.select("total").where(inScope(SCOPE, "x")).compile().sql).toContain('"x"');
  // @ts-expect-error people are of an account, in every environment
  sales.innerJoin("staff as p", inSameScope("p", "s", "staff_id"));
});
