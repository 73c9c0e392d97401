import type { ReactNode } from "react";
import classes from "./data-table.module.css";

export interface Column<Row> {
  readonly key: string;
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  readonly total?: ReactNode;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

const MOST_NARROW = 5;

/** If the columns do not fit, each row becomes a card. */
export function DataTable<Row>({ label, columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need the focus to scroll
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <table className={classes.table} data-wide={columns.length > MOST_NARROW}>
        <thead>
          <tr>
            {columns.map(({ key, head, isNumber = false }) => (
              <th key={key} scope="col" data-number={isNumber}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ key, head, cell, isNumber = false }, index) =>
                index === 0 ? (
                  <th key={key} scope="row" data-number={isNumber}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={key} data-number={isNumber} data-head={head}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
        {columns.some(({ total }) => total !== undefined) ? (
          <tfoot>
            <tr>
              {columns.map(({ key, head, total, isNumber = false }, index) =>
                index === 0 ? (
                  <th key={key} scope="row">
                    {total}
                  </th>
                ) : (
                  <td key={key} data-number={isNumber} data-head={head}>
                    {total}
                  </td>
                ),
              )}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </section>
  );
}
