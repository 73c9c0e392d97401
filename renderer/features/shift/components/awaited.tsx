import { Loading } from "../../../components/loading.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { type Question, troubleOf } from "../../../lib/query-trouble.ts";

/** Shown instead of figures that are loading or could not be loaded. */
export function Awaited({ query }: { readonly query: Question }) {
  if (query.data !== undefined) {
    return null;
  }
  return troubleOf(query) ? (
    <QueryTrouble query={query} />
  ) : (
    <Loading heights={["10.5rem", "3.5rem"]} />
  );
}
