import type { Provider } from "../providers/provider.ts";
import { Simulator } from "../providers/simulator.ts";
import type { TestGateway } from "./test-gateway.ts";

/**
 * A provider of several gateways on one database that delivers as the simulator does, and counts.
 * @param findGateway the one whose simulator it is; asked once something is sent
 */
export function countedSimulator(findGateway: () => TestGateway) {
  const submitted: string[] = [];
  let simulator: Simulator | undefined;
  const findSimulator = () => {
    simulator ??= new Simulator(findGateway().gateway.context);
    return simulator;
  };
  const provider: Provider = {
    submit(order, signal) {
      submitted.push(order.transactionId);
      return findSimulator().submit(order, signal);
    },
    inquire: (order) => findSimulator().inquire(order),
    refund: (order) => findSimulator().refund(order),
    readEsim: (esim) => findSimulator().readEsim(esim),
    findBill: (query) => findSimulator().findBill(query),
  };
  return {
    provider,
    /** The ids of what it was sent, in order. */
    submitted,
  };
}
