// PostGraphile asks for Node 22 and calls this; with it, it answers on Node 20 too.
Promise.withResolvers ??= function () {
  const deferred = {}
  deferred.promise = new this((resolve, reject) => Object.assign(deferred, { resolve, reject }))
  return deferred
}
