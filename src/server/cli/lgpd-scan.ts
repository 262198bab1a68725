import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { sql } from 'drizzle-orm'
import { scanForPerson } from '#server/maintenance/maintenance.ts'
import type { Config } from '#server/platform/config.ts'
import { type Database, rows } from '#server/platform/database/db.ts'
import { createFileStore } from '#server/platform/file-store.ts'
import { CommandError } from './command-error.ts'
import type { Terminal } from './terminal.ts'

/** What is looked for, and where beside the usual places. */
export interface ScanRequest {
  phone: string
  also: string[]
  /** Files or folders with logs that were written elsewhere. */
  logs: string[]
}

/**
 * Looks for a person in the database, the files and the logs, and prints every place.
 * @throws CommandError when there is one
 */
export async function scanLgpd(
  database: Database,
  config: Config,
  { logs, ...wanted }: ScanRequest,
  terminal: Terminal,
): Promise<void> {
  let places = 0
  const seen = await scanForPerson(database, wanted, filesOf(database, config, logs), ({ place, count }) => {
    places += 1
    terminal.print(`encontrado em ${place}${count > 1 ? ` (${count} registros)` : ''}`)
  })
  const where = `${seen.columns} colunas e ${seen.files} arquivos`
  if (places > 0) throw new CommandError(`Encontrado em ${places} de ${where}.`)
  terminal.print(`nada encontrado (${where})`)
}

async function* filesOf(database: Database, config: Config, logs: readonly string[]) {
  const uploads = join(config.dataDir, 'uploads')
  if (config.bucket) {
    const store = await createFileStore(config)
    const names = await rows<{ name: string }>(database, sql`select name from files order by id`)
    for (const { name } of names) yield { name, read: () => store.read(name) }
  }
  yield* walk(uploads, config.dataDir)
  for await (const file of walk(config.dataDir, config.dataDir, ['uploads', 'data']))
    if (/\.log(?:\.|$)/.test(file.name)) yield file
  for (const path of logs) yield* walk(path, '.')
}

/** The files below a folder, or the file itself; nothing where there is none. */
async function* walk(
  path: string,
  from: string,
  without: readonly string[] = [],
): AsyncGenerator<{
  name: string
  read(): Promise<AsyncIterable<Uint8Array> | undefined>
}> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return undefined
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (!entries) {
    yield { name: relative(from, path), read: () => Promise.resolve(createReadStream(path)) }
    return
  }
  for (const entry of entries) {
    const inner = join(path, entry.name)
    if (entry.isDirectory() && !without.includes(entry.name)) yield* walk(inner, from, without)
    else if (entry.isFile())
      yield { name: relative(from, inner), read: () => Promise.resolve(createReadStream(inner)) }
  }
}
