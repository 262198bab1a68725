// Loaded before the program, in syntax that older versions of Node understand. In a checkout the right
// version comes with the packages; an installation for use runs on the machine's.
const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(
    `O Balcão precisa do Node 24 ou mais novo, e este é o ${process.version}: ele vem com "npm ci" ` +
      '(Linux com glibc); sem os pacotes de desenvolvimento, é o da máquina que precisa ser atual.\n',
  )
  process.exit(1)
}

// Caches the compiled code of hundreds of modules. The folder belongs to the installation, since somebody who
// can write to it can make the program run their code. Without permission to write, there is no cache.
const { enableCompileCache, registerHooks } = await import('node:module')
enableCompileCache(`${import.meta.dirname}/../node_modules/.cache/node`)

// drizzle-orm lists more than a thousand entries in its package.json, and Node reads the list again for each
// import of it and for each of its modules: a third of every start. The files next to an ES module of it are
// ES modules too.
const beside = /^\.\.?\/.*\.js$/
const own = '/node_modules/drizzle-orm/'
const entries = new Map()
registerHooks({
  resolve(specifier, context, next) {
    if (beside.test(specifier) && context.parentURL?.includes(own))
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    if (!/^drizzle-orm(\/|$)/.test(specifier)) return next(specifier, context)
    const key = `${specifier} ${context.conditions.join()}`
    const found = entries.get(key) ?? next(specifier, context)
    entries.set(key, found)
    return { ...found, shortCircuit: true }
  },
})
