import { MantineProvider } from "@mantine/core";
import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { createQueryClient } from "../app/providers.tsx";
import { UnreachableError } from "../lib/api-client.ts";
import { QueryTrouble } from "./query-trouble.tsx";

function Sales({ ask }: { readonly ask: () => Promise<string> }) {
  const sales = useQuery({ queryKey: ["sales"], queryFn: ask });
  return (
    <>
      <QueryTrouble query={sales} />
      <p>{sales.data}</p>
    </>
  );
}

function show(ask: () => Promise<string>) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MantineProvider>
        <Sales ask={ask} />
      </MantineProvider>
    </QueryClientProvider>,
  );
}

describe("a query that the gateway does not answer", () => {
  it("shows the error during automatic retries, and retries at once on request", async () => {
    let isAway = true;
    let asked = 0;
    show(async () => {
      asked += 1;
      if (isAway) {
        throw new UnreachableError();
      }
      return "all of them";
    });
    expect((await screen.findByRole("alert")).textContent).toContain("Tillgate server");
    isAway = false;
    const before = asked;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("all of them")).toBeDefined();
    expect(asked).toBe(before + 1);
    expect(screen.queryByRole("alert")).toBeNull();
  });
});
