import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isFresh, projectFolder } from './built.mjs'
import { platformFault, thisMachine } from './platform.mjs'

// Starts the server; with the word `admin` a command, with `prepare` what a first start does in the program's
// own folder. Runs what `npm run build` made, or the sources when they have changed since.

/** @type {Record<string, string>} */
const programs = { admin: 'cli', prepare: 'prepare-installation' }

/** @param {string} line */
function refuse(line) {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

/** Whether this account may write into the folder of the program, where the build goes. */
function mayBuild() {
  const dist = join(projectFolder, 'dist')
  try {
    accessSync(existsSync(dist) ? dist : projectFolder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Builds web and server as `npm run build` does. A signal ends it, and with it this start. */
async function build() {
  console.log('Preparando a interface (só na primeira vez ou depois de uma atualização)...')
  const child = spawn(process.execPath, [join(projectFolder, 'scripts', 'build.ts')], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text))
  const stop = () => {
    child.kill('SIGTERM')
    process.exit(0)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const code = await new Promise((resolve) => child.once('close', resolve))
  process.off('SIGINT', stop).off('SIGTERM', stop)
  if (code !== 0) refuse(`A interface não pôde ser preparada:\n${output.trimEnd()}`)
}

const fault = platformFault(thisMachine(), Boolean(process.env['DATABASE_URL']))
if (fault) refuse(fault)

const name = programs[process.argv[2] ?? ''] ?? 'main'
// The programs find their own words where Node puts them.
if (name !== 'main') process.argv.splice(2, 1)

const hasWeb = name === 'cli' || isFresh('web')
if (!existsSync(join(projectFolder, 'node_modules', 'vite'))) {
  if (!hasWeb || !isFresh('server'))
    refuse(
      'O Balcão não está construído, ou mudou desde então, e faltam os pacotes com que se constrói: ' +
        'rode "npm ci && npm run build".',
    )
} else if (!hasWeb) {
  if (!mayBuild())
    refuse(
      'O Balcão não está construído, ou mudou desde então, e esta conta não escreve em ' +
        `${projectFolder}: rode "npm run build" com a conta dona da pasta.`,
    )
  await build()
}

const program = isFresh('server') ? `dist/server/${name}.js` : `src/server/${name}.ts`
await import(pathToFileURL(join(projectFolder, program)).href)
