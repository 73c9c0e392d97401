export { findDrawerCustomerRefund } from "./drawer-customer-refund.ts";
export { createCustomerRefundsModule } from "./module.ts";
