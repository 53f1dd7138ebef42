// What its package runs first is a program of its own for each system; this is the same in JavaScript alone.
const { checkSync } = require('recheck/lib/browser.js')

module.exports = { checkSync }
