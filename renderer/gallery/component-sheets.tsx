import { Button, Checkbox, SegmentedControl, Skeleton, Switch } from "@mantine/core";
import { IconCoins, IconReportMoney, IconSettings } from "@tabler/icons-react";
import { useState } from "react";
import type { Environment } from "../../server/contract/common.ts";
import menuClasses from "../app/office/office-page.module.css";
import { type Column, DataTable } from "../components/data-table.tsx";
import { EnvironmentChoice } from "../components/environment-choice.tsx";
import { Panel, Sheet } from "./gallery-sheet.tsx";

const WAYS = ["Cash", "Card", "Other"];
const ROWS = [
  ["Tigo top-up", "42", "Q 1,050.00"],
  ["Netflix gift card", "7", "Q 700.00"],
] as const;
const COLUMNS: readonly Column<(typeof ROWS)[number]>[] = [
  { key: "product", head: "Product", cell: ([product]) => product },
  { key: "sales", head: "Sales", cell: ([, sales]) => sales, isNumber: true },
  { key: "amount", head: "Amount", cell: ([, , amount]) => amount, isNumber: true },
];
const PLACES = [
  ["Reports", IconReportMoney],
  ["Prices", IconCoins],
  ["Settings", IconSettings],
] as const;

export function ButtonSheet() {
  const [way, setWay] = useState("Cash");
  const [environment, setEnvironment] = useState<Environment>("test");
  return (
    <Sheet name="Buttons and choices">
      <Button>Take payment Q 25.00</Button>
      <Button loading>Taking payment</Button>
      <Button disabled>Choose an amount</Button>
      <Button variant="default">Print receipt</Button>
      <Button variant="light">Add funds</Button>
      <Button variant="subtle">Discount</Button>
      <Button variant="danger">Remove</Button>
      <SegmentedControl aria-label="Payment" data={WAYS} value={way} onChange={setWay} />
      <EnvironmentChoice value={environment} onChange={setEnvironment} />
      <Switch label="Printed receipts" defaultChecked />
      <Checkbox label="Change already given" defaultChecked />
    </Sheet>
  );
}

export function SurfaceSheet() {
  return (
    <Sheet name="Tables and navigation">
      <Panel>
        <DataTable
          label="Best sellers"
          columns={COLUMNS}
          rows={ROWS}
          keyOf={([product]) => product}
        />
      </Panel>
      <Panel>
        <Skeleton height="3.5rem" radius="md" />
        <p>
          <code>0O1l 4821-9930-1175</code>
        </p>
      </Panel>
      <nav className={menuClasses.navigation} aria-label="Example">
        {PLACES.map(([place, Icon], index) => (
          <a
            key={place}
            className={menuClasses.place}
            href="#example"
            aria-current={index === 0 ? "page" : undefined}
          >
            <Icon size="1.25rem" aria-hidden="true" />
            {place}
          </a>
        ))}
      </nav>
    </Sheet>
  );
}
