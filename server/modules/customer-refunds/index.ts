export { findCashGiveBack } from "./cash-give-back.ts";
export { createCustomerRefundsModule } from "./module.ts";
