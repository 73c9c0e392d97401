import { useState } from "react";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { BulkRunPage } from "./bulk-run-page.tsx";
import { BulkStart, type TypedTable } from "./bulk-start.tsx";

/** Many lines sold from a file: a table to begin with, or the run that the address names. */
export function BulkScreen({
  session,
  search,
  onSearch,
}: Pick<OfficeSectionProps, "session" | "search" | "onSearch">) {
  // Kept while its run is looked at, to be mended.
  const [typed, setTyped] = useState<TypedTable>({ name: "", text: "" });
  const { run } = search;
  const open = (runId: string) => onSearch({ run: runId });
  return run === undefined ? (
    <BulkStart typed={typed} onTyped={setTyped} onOpen={open} />
  ) : (
    <BulkRunPage
      key={run}
      runId={run}
      mayReveal={session.rights.reveal}
      environment={session.environment}
      onOpen={open}
      onBack={() => onSearch({})}
    />
  );
}
