import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { sessionQuery, statusQuery } from "../../../lib/pos-queries.ts";
import { newQueryClient } from "../../../lib/testing/reset-page.ts";
import { noteSeen, seenVersion, whatIsNewQuery } from "../../../lib/what-is-new.ts";
import { WhatIsNew } from "./shift-gate.tsx";

const NEWS = [
  { version: "0.3.0", sentences: ["Not here yet."] },
  { version: "0.2.0", sentences: ["Something for shops."] },
  { version: "0.1.0", sentences: ["The first."] },
];

function show(staffId: string, version: string) {
  const client = newQueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(statusQuery().queryKey, { version } as never);
  client.setQueryData(sessionQuery().queryKey, { staff: { staffId } } as never);
  for (const language of ["en", "dev"]) {
    client.setQueryData(whatIsNewQuery(language).queryKey, NEWS);
  }
  cleanup();
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <WhatIsNew />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

test("each user of an earlier version sees the changes until the user closes them", () => {
  show("olga", "0.1.0");
  show("ana", "0.1.0");
  expect(screen.queryByRole("note")).toBeNull();
  for (const person of ["olga", "ana"]) {
    show(person, "0.2.0");
    expect(screen.getByRole("note").textContent).toContain("New in Tillgate 0.2.0Something");
    expect(screen.getByRole("note").textContent).not.toMatch(/The first|Not here yet/);
    fireEvent.click(screen.getByRole("button"));
    expect(screen.queryByRole("note")).toBeNull();
    show(person, "0.2.0");
    expect(screen.queryByRole("note")).toBeNull();
  }
});

test("a new person sees no changes, and nobody sees changes after a return to an older version", () => {
  show("eva", "0.2.0");
  expect(screen.queryByRole("note")).toBeNull();
  expect(seenVersion("eva")).toBe("0.2.0");
  noteSeen("eva", "0.3.0");
  show("eva", "0.2.0");
  expect(screen.queryByRole("note")).toBeNull();
});
