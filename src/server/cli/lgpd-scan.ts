import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { scanForPerson } from '#server/maintenance/maintenance.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import { openPlaces, uploadsFolder } from '#server/platform/file-store/places.ts'
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
  const seen = await scanForPerson(database, wanted, filesOf(config, logs), ({ place, count }) => {
    places += 1
    terminal.print(`encontrado em ${place}${count > 1 ? ` (${count} registros)` : ''}`)
  })
  const where = `${seen.columns} colunas e ${seen.files} arquivos`
  if (places > 0) throw new CommandError(`Encontrado em ${places} de ${where}.`)
  terminal.print(`nada encontrado (${where})`)
}

async function* filesOf(config: Config, logs: readonly string[]) {
  const { s3 } = openPlaces(config)
  if (s3) for await (const { name } of s3.list()) yield { name, read: () => s3.read(name) }
  const uploads = uploadsFolder(config.dataDir)
  yield* walk(uploads, config.dataDir)
  for await (const file of walk(config.dataDir, config.dataDir, [basename(uploads), 'data']))
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
