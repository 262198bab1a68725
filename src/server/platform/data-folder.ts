import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartRefused } from './start-refused.ts'

/**
 * Makes the data folder, and looks whether it can be written to.
 * @throws StartRefused with one line that says what to do
 */
export function makeDataFolder(dataDir: string): void {
  try {
    // When run as root, the database runs under another account, which must be able to enter the folder.
    makeFolder(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
  } catch (error) {
    const { code, path = dataDir } = error as NodeJS.ErrnoException
    throw new StartRefused(
      code === 'ENOTDIR' || code === 'EEXIST'
        ? `O caminho ${dataDir} é um arquivo, ou está num: escolha uma pasta em DATA_DIR.`
        : `A pasta ${path} não pode ser criada (${code}): crie-a, com permissão para esta conta, ou ` +
            'escolha outra em DATA_DIR.',
    )
  }
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartRefused(
      `A pasta ${dataDir} não pode ser escrita por esta conta (${codeOf(error)}): dê-lhe a pasta (chown) ` +
        'ou escolha outra em DATA_DIR.',
    )
  }
}

/**
 * As `mkdirSync` with `recursive`, which never ends in a folder where nothing can be made, such as /proc.
 * @throws what the system said of the first folder that cannot be made
 */
export function makeFolder(path: string, mode: number): void {
  if (existsSync(path) && statSync(path).isDirectory()) return
  if (dirname(path) !== path) makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'erro'

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
