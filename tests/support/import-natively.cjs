/** For modules that Vite would take into its own graph, which `require` does not go through. */
module.exports = (url) => import(url)
