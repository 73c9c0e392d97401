import { laneOfSubject } from "../../../jobs/job-subject.ts";
import type { ProviderOf } from "../../../providers/provider.ts";
import type { Base, Module } from "../../module.ts";
import type { EsimService } from "../esims/index.ts";
import type { PurchaseService } from "../purchases/index.ts";
import { REFUND_JOB, RefundEngine } from "./refund-engine.ts";
import { registerRefundRoutes } from "./refund-routes.ts";
import { RefundService } from "./refund-service.ts";

type Deps = Base & { purchases: PurchaseService; esims: EsimService; providerOf: ProviderOf };

export function createRefundsModule(deps: Deps) {
  const refunds = new RefundService(deps);
  const engine = new RefundEngine(deps);
  return {
    services: { refunds },
    jobs: [{ kind: REFUND_JOB, run: (subject) => engine.advance(subject), laneOf: laneOfSubject }],
    v1: (app) => registerRefundRoutes(app, refunds),
  } satisfies Module;
}
