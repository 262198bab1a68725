import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Account, findAccount } from './account.ts'
import { codeOf, EmbeddedPostgresError } from './errors.ts'
import { run } from './run.ts'
import { port } from './settings.ts'

/** The folders of one embedded database. All paths are absolute. */
export interface DataDir {
  account: Account
  /** the product's data folder, as a real path */
  path: string
  /** the private folder of everything that PostgreSQL uses: `<path>/postgres`, or one under /var/lib */
  home: string
  /** PostgreSQL's own data directory */
  dataFolder: string
  socketFolder: string
  logFile: string
  /** `/var/lib/<name>`: used by root for databases whose account cannot reach the data folder */
  systemFolder: string
}

/** The kernel limits a socket's path to 108 bytes on Linux and 104 on macOS, including the final zero. */
const longestSocketPath = 100
const noteName = 'ONDE-ESTA-O-BANCO.txt'

/**
 * Finds out where the database of the data folder is, or will be, and under which account it runs. Creates
 * nothing but the data folder itself. An existing database decides; otherwise it is in the data folder unless
 * the account cannot reach that.
 * @throws EmbeddedPostgresError when the database is out of reach or belongs to a folder that was moved.
 */
export async function findDataDir(givenPath: string, name: string): Promise<DataDir> {
  await mkdir(givenPath, { recursive: true })
  const path = await realpath(givenPath)
  const systemFolder = join('/var/lib', name)
  const inside = join(path, 'postgres')
  const outside = join(systemFolder, hashOf(path))
  const isRoot = process.getuid?.() === 0
  const insideOwner = await ownerOfDatabase(inside)
  if (insideOwner === undefined) await refuseForeignNote(path, outside, isRoot)
  const outsideOwner = isRoot && insideOwner === undefined ? await ownerOfDatabase(outside) : undefined
  const account = await findAccount(name, insideOwner ?? outsideOwner)
  const isReachable = outsideOwner === undefined && (await canReach(account, path))
  if (insideOwner !== undefined && !isReachable)
    throw new EmbeddedPostgresError(
      `A conta ${account.name} não alcança o banco de dados em ${inside}: dê a ela passagem (chmod ` +
        `o+x) até ${path} ou defina DATABASE_URL`,
    )
  const home = isReachable ? inside : outside
  return {
    account,
    path,
    home,
    dataFolder: join(home, 'data'),
    socketFolder: socketFolderFor(home, name),
    logFile: join(home, 'postgres.log'),
    systemFolder,
  }
}

/** Whether the database is under /var/lib because its account cannot reach the data folder. */
export function isOutside(dataDir: DataDir): boolean {
  return dataDir.home !== join(dataDir.path, 'postgres')
}

/**
 * Creates the private folders with mode 0700 and the account as their owner, and a note when the database is
 * elsewhere.
 */
export async function prepareDataDir(dataDir: DataDir): Promise<void> {
  if (isOutside(dataDir)) {
    await makeSystemFolder(dataDir)
    await writeFile(
      join(dataDir.path, noteName),
      `O banco de dados desta pasta fica em\n${dataDir.home}\nporque a conta que o serve não alcança ` +
        'esta pasta.\n',
      // Do not follow a link: we may be root in somebody else's folder.
      { flag: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW },
    )
  }
  await makePrivateFolder(dataDir.home, dataDir.account)
  await makePrivateFolder(dataDir.socketFolder, dataDir.account)
}

/**
 * Creates `/var/lib/<name>` so that all accounts can pass through it; only the folders inside are private. A
 * folder that others can pass already is left unchanged: it may be somebody's data folder too.
 */
export async function makeSystemFolder(dataDir: DataDir): Promise<void> {
  const isNew = (await mkdir(dataDir.systemFolder, { recursive: true })) !== undefined
  const canPass = ((await stat(dataDir.systemFolder)).mode & 0o001) !== 0
  if (isNew || !canPass) await chmod(dataDir.systemFolder, 0o755)
}

/** Creates a folder that only the account can enter, or checks that an existing one is so. */
export async function makePrivateFolder(path: string, account: Account): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  if (await isPrivateFolder(path, account)) return
  if (await closeOwnFolder(path, account)) return
  throw new EmbeddedPostgresError(
    `A pasta ${path} deveria ser só da conta ${account.name}, mas é de outra ou está aberta a outras: ` +
      `corrija com "chown ${account.name}" e "chmod 700", ou defina DATABASE_URL`,
  )
}

/**
 * Closes a folder that we own and gives it to the account. It was created just now, by a killed start, or by
 * hand. Nobody else can have created a folder that is ours, not even in /tmp; but where others can write, a
 * socket may be somebody else's. One handle is used throughout, so that the folder cannot be exchanged for a
 * link.
 */
async function closeOwnFolder(path: string, account: Account): Promise<boolean> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
  const folder = await open(path, flags).catch((error: unknown) => {
    // A link, a file, or a folder that we may not read.
    if (['ELOOP', 'ENOTDIR', 'EACCES'].includes(codeOf(error) ?? '')) return undefined
    throw error
  })
  if (!folder) return false
  try {
    const { uid, mode } = await folder.stat()
    // A parallel start has given it to the account in the meantime.
    if (uid === account.uid && (mode & 0o077) === 0) return true
    if (uid !== process.getuid?.() || (mode & 0o022) !== 0) return false
    await folder.chmod(0o700)
    if (account.isOther) await folder.chown(account.uid, account.gid)
    return true
  } finally {
    await folder.close()
  }
}

/** Whether the path is a real folder, not a link, that belongs to the account and is closed to all others. */
export async function isPrivateFolder(path: string, account: Account): Promise<boolean> {
  try {
    const stats = await lstat(path)
    return stats.isDirectory() && stats.uid === account.uid && (stats.mode & 0o077) === 0
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/**
 * The folder of the socket: in `home` when the path is short enough for the kernel, else in the temporary
 * folder.
 */
export function socketFolderFor(home: string, name: string): string {
  const preferred = join(home, 'run')
  if (socketPathBytes(preferred) <= longestSocketPath) return preferred
  const short = `${name}-${hashOf(home)}`
  const temporary = join(tmpdir(), short)
  return socketPathBytes(temporary) <= longestSocketPath ? temporary : join('/tmp', short)
}

function socketPathBytes(folder: string): number {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${port}`))
}

function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}

/**
 * The uid of the owner of the database, or undefined without a database. Never 0, because root never runs the
 * server.
 */
async function ownerOfDatabase(home: string): Promise<number | undefined> {
  try {
    return (await stat(join(home, 'data', 'PG_VERSION'))).uid
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    if (codeOf(error) !== 'EACCES') throw error
    throw new EmbeddedPostgresError(
      `O banco de dados em ${home} pertence a outro usuário: rode com o mesmo usuário da primeira vez ` +
        'ou defina DATABASE_URL',
    )
  }
}

/** Whether the account can enter the folder. A shell that runs as the account tries it. */
async function canReach(account: Account, folder: string): Promise<boolean> {
  if (!account.isOther) return true
  return (await run(account, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder])).code === 0
}

/** Checks that the note about a database under /var/lib names the location that belongs to this folder. */
async function refuseForeignNote(dataDir: string, outside: string, isRoot: boolean): Promise<void> {
  const note = join(dataDir, noteName)
  const text = await readFile(note, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  const noted = text?.split('\n')[1]
  if (!noted || noted === join(dataDir, 'postgres')) return
  if (!isRoot)
    throw new EmbeddedPostgresError(
      `O banco de dados de ${dataDir} foi criado pelo root e fica em ${noted}: rode como root, escolha ` +
        'outra DATA_DIR ou defina DATABASE_URL',
    )
  if (noted !== outside)
    throw new EmbeddedPostgresError(
      `A pasta ${dataDir} foi movida ou copiada, e o banco dela fica em ${noted}: mova esse banco para ` +
        `${outside} ` +
        `e apague ${note}, ou defina DATABASE_URL`,
    )
}
