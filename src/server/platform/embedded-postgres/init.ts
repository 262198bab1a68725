import { open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { codeOf, EmbeddedPostgresError } from './errors.ts'
import { claimTemporary, releaseTemporary } from './lock/leftovers.ts'
import type { DataDir } from './data-dir.ts'
import { run } from './run.ts'
import { superuserRole } from './settings.ts'

/**
 * Refuses a folder of another major version before anything in it is touched.
 * @throws EmbeddedPostgresError that names that version and says how to migrate.
 */
export async function refuseOtherMajor(dataFolder: string, packageVersion: string): Promise<void> {
  const made = await majorOf(dataFolder)
  const ours = packageVersion.split('.')[0]
  if (made === undefined || made === ours) return
  throw new EmbeddedPostgresError(
    `O banco em ${dataFolder} foi feito pelo PostgreSQL ${made} e esta versão usa o ${ours}; nada foi ` +
      'alterado. ' +
      'Com a versão anterior do programa, copie a instalação (npm run admin -- copy), e com esta anexe a ' +
      'cópia a outra DATA_DIR (attach; veja docs/operations.md), ou defina DATABASE_URL',
  )
}

/** Whether the folder contains a complete database. */
export async function isInitialized(dataFolder: string): Promise<boolean> {
  return (await majorOf(dataFolder)) !== undefined
}

/**
 * Creates the database in a temporary folder beside its target and renames it when it is complete: a killed
 * start leaves nothing incomplete in the target. Of several parallel starts the first to rename wins, the
 * others delete their own.
 */
export async function initializeDatabase(
  dataDir: DataDir,
  binaries: Binaries,
  isDurable: boolean,
): Promise<void> {
  const temporary = claimTemporary(dataDir.home, 'init')
  try {
    const { code, output } = await run(
      dataDir.account,
      binaries.initdb,
      initdbArguments(temporary, isDurable),
    )
    if (code !== 0 && !(await isInitialized(dataDir.dataFolder)))
      throw new EmbeddedPostgresError(
        `O initdb falhou em ${dataDir.home} (${reasonIn(output)}): corrija isso ou defina DATABASE_URL`,
      )
    if (code === 0) await moveIntoPlace(temporary, dataDir)
  } finally {
    await releaseTemporary(temporary)
  }
}

function initdbArguments(folder: string, isDurable: boolean): string[] {
  // The C library of macOS has no C.UTF-8; only the locale of the builtin provider matters for sorting and
  // case.
  const locale =
    process.platform === 'darwin' ? ['--locale=C', '--builtin-locale=C.UTF-8'] : ['--locale=C.UTF-8']
  return [
    `--pgdata=${folder}`,
    `--username=${superuserRole}`,
    '--auth=peer',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    ...locale,
    '--data-checksums',
    '--wal-segsize=4',
    '--no-instructions',
    ...(isDurable ? [] : ['--no-sync']),
  ]
}

async function moveIntoPlace(temporary: string, dataDir: DataDir): Promise<void> {
  try {
    await rename(temporary, dataDir.dataFolder)
  } catch (error) {
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error
    if (await isInitialized(dataDir.dataFolder)) return
    const names = await readdir(dataDir.dataFolder)
    throw new EmbeddedPostgresError(
      `A pasta ${dataDir.dataFolder} não é um banco de dados, mas contém ${names.length} itens: ` +
        'tire-os de lá ou defina DATABASE_URL',
      'failed',
      { cause: error },
    )
  }
  // Without the sync a power failure may undo the rename.
  const parent = await open(dataDir.home, 'r')
  try {
    await parent.sync()
  } finally {
    await parent.close()
  }
}

async function majorOf(dataFolder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(dataFolder, 'PG_VERSION'), 'utf8')).trim() || 'ilegível'
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Extracts the reason from the output of initdb and its server. Pure. */
function reasonIn(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  for (const gravity of [/\b(?:PANIC|FATAL):\s+(.*)/, /\b(?:ERROR|error):\s+(.*)/])
    for (const line of lines) {
      const reason = gravity.exec(line)?.[1]
      if (reason) return reason
    }
  return lines.at(-1) ?? 'sem explicação'
}
