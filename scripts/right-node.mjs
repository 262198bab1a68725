// Loaded before the program, in words that any Node of the last years understands. The right one comes with the
// packages, but only when they may run their installation scripts.
const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(
    `O Balcão precisa do Node 24, e este é o ${process.version}: a instalação rodou sem scripts? ` +
      'Rode "npm rebuild node --ignore-scripts=false" e tente de novo.\n',
  )
  process.exit(1)
}

// Hundreds of modules are compiled at every start, the same each time. The folder is our own: whoever could write into
// it could make us run what he wrote. Where it cannot be written to, nothing is kept, and that is all.
const { enableCompileCache } = await import('node:module')
enableCompileCache(`${import.meta.dirname}/../node_modules/.cache/node`)
