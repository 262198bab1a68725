import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartRefused } from './start-refused.ts'

/** The note that stands in a data folder whose embedded database was moved to another one. */
const noteOf = (dataDir: string) => join(dataDir, 'banco-mudou.txt')

/** @param place of the new database, without a password: 'db.example.com:5432/balcao' */
export function noteMove(dataDir: string, place: string): void {
  writeFileSync(noteOf(dataDir), `${place}\n`)
}

/** @throws StartRefused for a data folder whose embedded database was moved: the new one is in use */
export function refuseMoved(dataDir: string): void {
  const note = noteOf(dataDir)
  if (!existsSync(note)) return
  throw new StartRefused(
    `O banco de dados que estava em ${dataDir} mudou para ${readFileSync(note, 'utf8').trim()}: ponha esse ` +
      `endereço em DATABASE_URL. Para voltar ao antigo, sem o que veio depois, apague ${note}.`,
  )
}
