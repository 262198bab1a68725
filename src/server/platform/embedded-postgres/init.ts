import { open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { codeOf, EmbeddedPostgresError } from './errors.ts'
import { claimTemporary, releaseTemporary } from './leftovers.ts'
import type { DataDir } from './data-dir.ts'
import { run } from './run.ts'
import { superuserRole } from './settings.ts'

/**
 * Refuses a folder made by another major version, before anything in it is touched.
 * @throws EmbeddedPostgresError that says which version made it and the way across.
 */
export async function refuseOtherMajor(dataFolder: string, packageVersion: string): Promise<void> {
  const made = await majorOf(dataFolder)
  const ours = packageVersion.split('.')[0]
  if (made === undefined || made === ours) return
  throw new EmbeddedPostgresError(
    `O banco em ${dataFolder} foi feito pelo PostgreSQL ${made} e esta versão usa o ${ours}; nada foi alterado. ` +
      'Faça um backup com a versão anterior do programa e restaure com esta em outra DATA_DIR (docs/operations.md), ou defina DATABASE_URL',
  )
}

/** Whether a finished database stands there. */
export async function isInitialized(dataFolder: string): Promise<boolean> {
  return (await majorOf(dataFolder)) !== undefined
}

/**
 * Makes the database in a temporary folder beside its target and moves it there when it is whole: a start that is
 * killed leaves nothing half done in the target. Of several starts at once the first to move wins, the rest delete
 * their own.
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
  // macOS has no C.UTF-8 in its C library; only the builtin provider's locale matters for sorting and case.
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
      `A pasta ${dataDir.dataFolder} não é um banco de dados, mas contém ${names.length} itens: tire-os de lá ou defina DATABASE_URL`,
      'failed',
      { cause: error },
    )
  }
  // Without this the rename itself may be lost when the power fails.
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

/** What went wrong, out of all that initdb and the server inside it said. Pure. */
function reasonIn(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  for (const gravity of [/\b(?:PANIC|FATAL):\s+(.*)/, /\b(?:ERROR|error):\s+(.*)/])
    for (const line of lines) {
      const reason = gravity.exec(line)?.[1]
      if (reason) return reason
    }
  return lines.at(-1) ?? 'sem explicação'
}
