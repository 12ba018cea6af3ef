// What PostGraphile needs of Node.js 22, on 20.
Promise.withResolvers ??= function () {
  let resolve, reject
  const promise = new this((a, b) => { resolve = a; reject = b })
  return { promise, resolve, reject }
}
