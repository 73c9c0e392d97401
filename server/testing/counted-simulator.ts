import { Simulator } from "../suppliers/simulator.ts";
import type { Supplier } from "../suppliers/supplier.ts";
import type { TestGateway } from "./test-gateway.ts";

/**
 * A provider of several gateways on one database that delivers as the simulator does, and counts.
 * @param findGateway the one whose simulator it is; asked once something is sent
 */
export function countedSimulator(findGateway: () => TestGateway) {
  const submitted: string[] = [];
  let simulator: Simulator | undefined;
  const provider = () => {
    simulator ??= new Simulator(findGateway().gateway.context);
    return simulator;
  };
  const supplier: Supplier = {
    submit(order, signal) {
      submitted.push(order.transactionId);
      return provider().submit(order, signal);
    },
    enquire: (order) => provider().enquire(order),
    refund: (order) => provider().refund(order),
    readEsim: (esim) => provider().readEsim(esim),
    findBill: (query) => provider().findBill(query),
  };
  return {
    supplier,
    /** The ids of what it was sent, in order. */
    submitted,
  };
}
