// Both packages' ES modules are broken (they import CommonJS by name), so both are required.
const { getConfig, getDMMF } = require('@prisma/internals')
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts')
const { enginesVersion } = require('@prisma/engines-version')

module.exports = { getConfig, getDMMF, PrismaClientTsGenerator, enginesVersion }
