const { sample, stringMatching } = require('fast-check')

module.exports = { sample, stringMatching }
