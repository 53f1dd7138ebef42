module.exports = require('handlebars/runtime.js')
