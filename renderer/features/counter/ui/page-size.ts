/** One page of tiles is what the digits 1 to 9 can pick; 0 is "same as last time". */
export const PAGE_SIZE = 9;
