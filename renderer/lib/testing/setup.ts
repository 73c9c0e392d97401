import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// A busy machine is not a fault: what is waited for may come late.
configure({ asyncUtilTimeout: 60_000 });

afterEach(cleanup);
