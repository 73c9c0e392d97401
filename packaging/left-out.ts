function leftOut(): never {
  throw new Error("this part of a library was left out of the bundle");
}

export { leftOut as glob, leftOut as IsHostname, leftOut as IsIdnEmail, leftOut as IsIdnHostname };
