import { NO_ACCOUNT } from "../db/account-lock.ts";
import type { Transactor } from "../db/transactor.ts";
import type { Provider } from "../providers/provider.ts";
import { Simulator } from "../providers/simulator/simulator.ts";
import type { TestGateway } from "./test-gateway.ts";

const BOOKS = { accountId: "live-books" };

/**
 * Makes a live provider that delivers as the simulator does, and has its own books.
 * @param gateway returns the gateway that uses the provider; called only after the gateway's start
 */
export function createLiveSimulator(gateway: () => TestGateway): Provider {
  let simulator: Simulator | undefined;
  function provider(): Simulator {
    if (simulator) return simulator;
    const { db, clock, transactor } = gateway().gateway.context;
    // The simulator's books belong to no account, so that no account is locked.
    const books: Transactor = {
      transact: (_lock, work) => transactor.transact(NO_ACCOUNT, work),
      onCommit: (listener) => transactor.onCommit(listener),
    };
    simulator = new Simulator({ db, clock, transactor: books });
    return simulator;
  }
  return {
    submit: (order, signal) => provider().submit({ ...order, ...BOOKS }, signal),
    inquire: (order) => provider().inquire({ ...order, ...BOOKS }),
    refund: (order) => provider().refund({ ...order, ...BOOKS }),
    readEsim: (esim) => provider().readEsim({ ...esim, ...BOOKS }),
    findBill: (query) => provider().findBill({ ...query, ...BOOKS }),
  };
}
