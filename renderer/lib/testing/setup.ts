import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { LANGUAGES } from "../../../server/contract/pos/setup.ts";
import { fetchWords } from "../../locales/till-words.ts";

// A page has the words of its own language, and soon those of all.
await Promise.all(LANGUAGES.map(fetchWords));

// A busy machine is not a fault: what is waited for may come late.
configure({ asyncUtilTimeout: 60_000 });

afterEach(cleanup);
