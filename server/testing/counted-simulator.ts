import type { Provider } from "../providers/provider.ts";
import { Simulator } from "../providers/simulator/simulator.ts";
import type { TestGateway } from "./test-gateway.ts";

/**
 * Makes a provider for all gateways of one database. It delivers as the simulator does.
 * @param findGateway returns the gateway whose simulator is used; called on the first order
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
    submitted,
  };
}
