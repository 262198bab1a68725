import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { findPackage, readyBinaries } from './embedded-postgres/binaries.ts'
import { endPredecessor, ensureDatabase, hasDatabase, keepsCommits } from './embedded-postgres/database.ts'
import { asEmbeddedPostgresError, EmbeddedPostgresError } from './embedded-postgres/errors.ts'
import { initializeDatabase, isInitialized, refuseOtherMajor } from './embedded-postgres/init.ts'
import { holdLock } from './embedded-postgres/lock/lock-holder.ts'
import { endQuietly, isConnectionLoss } from './embedded-postgres/connect.ts'
import { sweepLeftovers } from './embedded-postgres/lock/leftovers.ts'
import { applicationNameOf, describeHolder, takeLock, tryLock } from './embedded-postgres/lock/lock.ts'
import { findDataDir, isOutside, type DataDir, prepareDataDir } from './embedded-postgres/data-dir.ts'
import { type Reached, reachServer, type Site, stopped } from './embedded-postgres/reach.ts'
import { port, superuserRole } from './embedded-postgres/settings.ts'

export { EmbeddedPostgresError }

/** How `pg` connects: `host` is the socket's folder. There is no password and no TCP port. */
export interface EmbeddedConnection {
  host: string
  port: number
  user: string
  database: string
}

/** A running embedded server. This program holds its lock or, attached, only uses it. */
export interface EmbeddedPostgres {
  /** the plain role that owns the database, for the product */
  connection: EmbeddedConnection
  /** the superuser in the same database, for maintenance */
  superuser: EmbeddedConnection
  /**
   * the folder of everything that PostgreSQL uses: `<dataDir>/postgres`, or one under /var/lib when that is
   * out of reach
   */
  home: string
  /** PostgreSQL's version: `'18.4'` */
  version: string
  /**
   * Called when another program has taken the lock, or the server cannot be restarted: the program must exit.
   * Called at once when that has already happened.
   */
  onLost(listener: (reason: string) => void): void
  /**
   * Stops the server with a fast shutdown and waits until it is gone, 60 s at most. End the pools first. A
   * second call returns the same promise. When attached to the server of another program, it does nothing.
   */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** absolute; the database lives in `<dataDir>/postgres` */
  dataDir: string
  /**
   * name of role, database, system account and folders; default `balcao`. Lower-case letters, digits, `_`,
   * `-`
   */
  name?: string
  /** the name that a program refused by our lock is given; default `name` */
  program?: string
  /** default true. false only in tests: fsync, synchronous_commit and full_page_writes are off */
  durable?: boolean
  /**
   * checked after each step of the start; true ends it with reason `stopped`, and no server of the program is
   * left
   */
  stopRequested?: () => boolean
  log?: (line: { level: 'info' | 'warn' | 'error'; msg: string }) => void
  /**
   * For commands beside a server: use a running one without taking the lock. Without one, start it as usual.
   * A program that starts on a server without a lock holder ends the sessions of attached commands.
   */
  attachOnly?: boolean
}

type Log = NonNullable<EmbeddedPostgresOptions['log']>

const startWithinMs = 60_000
const waitForDatabaseMs = 5000

/**
 * Starts the private PostgreSQL of a data folder, or takes over the one that a killed program left running,
 * and locks the folder against a second program for the lifetime of this one. Creates database and role on
 * the first start. The server survives a crash of this program on purpose; only `stop()` ends it, and until
 * then its session keeps this process alive.
 * @throws EmbeddedPostgresError; `reason` `in_use` names the program that holds the folder.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    const log: Log = options.log ?? (() => undefined)
    const site = await prepareSite(options, log)
    return await enter(site, log, options.attachOnly ?? false)
  } catch (error) {
    throw asEmbeddedPostgresError(error, options.dataDir)
  }
}

/** Whether the data folder has an embedded database, running or not. Creates nothing. */
export async function hasEmbeddedPostgres(dataDir: string): Promise<boolean> {
  return existsSync(dataDir) && isInitialized((await findDataDir(dataDir, 'balcao')).dataFolder)
}

/** Prepares everything that is needed to find or launch the server. */
async function prepareSite(options: EmbeddedPostgresOptions, log: Log): Promise<Site> {
  const name = options.name ?? 'balcao'
  if (!/^[a-z][a-z0-9_-]{0,30}$/.test(name))
    throw new EmbeddedPostgresError(
      `Nome inválido para o banco (${name}): use letras minúsculas, números, _ e -`,
    )
  if (!isAbsolute(options.dataDir))
    throw new EmbeddedPostgresError(
      `O caminho da pasta de dados não é absoluto (${options.dataDir}): comece com /`,
    )
  const stopRequested = options.stopRequested ?? (() => false)
  const goOn = (): void => {
    if (stopRequested()) throw stopped()
  }
  const source = await findPackage()
  const dataDir = await findDataDir(options.dataDir, name)
  await refuseOtherMajor(dataDir.dataFolder, source.version)
  goOn()
  const binaries = await readyBinaries(source, dataDir)
  goOn()
  await prepareDataDir(dataDir)
  logDataDir(dataDir, name, log)
  const isDurable = options.durable ?? true
  const unswept = await sweepLeftovers(dataDir.home, 'init')
  if (unswept.length > 0)
    log({ level: 'info', msg: `leftovers of an interrupted start are kept for later: ${unswept.join(', ')}` })
  if (!(await isInitialized(dataDir.dataFolder))) {
    goOn()
    await initializeDatabase(dataDir, binaries, isDurable)
  }
  goOn()
  const applicationName = applicationNameOf(options.program ?? name)
  return { dataDir, binaries, name, applicationName, isDurable, stopRequested }
}

function logDataDir(dataDir: DataDir, name: string, log: Log): void {
  log({
    level: 'info',
    msg: `embedded database in ${dataDir.home}; for a public installation use DATABASE_URL`,
  })
  if (isOutside(dataDir))
    log({
      level: 'warn',
      msg:
        `the account ${dataDir.account.name} cannot reach ${dataDir.path}: the database is in ` +
        `${dataDir.home}, outside that folder (in a container, outside the volume)`,
    })
  if (dataDir.account.isOther && dataDir.account.name === 'nobody')
    log({
      level: 'warn',
      msg:
        'the database runs as "nobody", for demonstration and tests only: any process of that account ' +
        `reads the files. Create an account of its own with "useradd --system ${name}"`,
    })
  if (!dataDir.socketFolder.startsWith(dataDir.home))
    log({
      level: 'warn',
      msg:
        `the path ${dataDir.path} is too long for the socket, which is in ${dataDir.socketFolder}: two ` +
        'containers on one volume are not protected from each other; prefer a shorter DATA_DIR',
    })
}

/**
 * Connects to the server and takes the lock; starts over when the server goes down in between, as in a
 * restart.
 */
async function enter(site: Site, log: Log, attachOnly: boolean): Promise<EmbeddedPostgres> {
  const deadline = performance.now() + startWithinMs
  let hasLaunched = false
  for (;;) {
    const reached = await reachServer(site, deadline)
    hasLaunched ||= reached.hasLaunched
    try {
      if (attachOnly && !(hasLaunched && (await tryLock(reached.client)).kind === 'taken'))
        return await attach(site, reached)
      return await hold(site, reached, log)
    } catch (error) {
      if (!isConnectionLoss(error) || performance.now() >= deadline) throw error
    }
  }
}

async function hold(site: Site, reached: Reached, log: Log): Promise<EmbeddedPostgres> {
  const { client } = reached
  const lock = await takeLock(client, site.stopRequested)
  if (lock.kind === 'busy') {
    await endQuietly(client)
    if (site.stopRequested()) throw stopped()
    throw new EmbeddedPostgresError(
      `A pasta ${site.dataDir.path} já está em uso por ${describeHolder(lock.holder)}: encerre-o, use ` +
        'outra DATA_DIR ou defina DATABASE_URL',
      'in_use',
    )
  }
  const isTooLoose = site.isDurable && !(await keepsCommits(client))
  const lockHolder = await settle(site, client, log)
  if (site.stopRequested()) {
    await lockHolder.stop()
    throw stopped()
  }
  if (isTooLoose) {
    log({
      level: 'warn',
      msg: 'O servidor encontrado rodava sem fsync (restou de um teste): será reiniciado',
    })
    await lockHolder.stop()
    return enter(site, log, false)
  }
  return { ...describe(site, reached.socketFolder), ...lockHolder }
}

/** The first work under the lock. */
async function settle(site: Site, client: pg.Client, log: Log) {
  try {
    await ensureDatabase(client, site.name)
    await endPredecessor(client)
    return holdLock(site, client, log)
  } catch (error) {
    if (isConnectionLoss(error)) throw error
    await holdLock(site, client, log).stop()
    throw error
  }
}

async function attach(site: Site, reached: Reached): Promise<EmbeddedPostgres> {
  const { client } = reached
  const deadline = performance.now() + waitForDatabaseMs
  try {
    // Beside a first start the database may be created a moment later; without a lock holder we create it
    // ourselves.
    while (!(await hasDatabase(client, site.name))) {
      if ((await tryLock(client)).kind === 'taken') await ensureDatabase(client, site.name)
      else if (site.stopRequested()) throw stopped()
      else if (performance.now() > deadline)
        throw new EmbeddedPostgresError(
          `O servidor em ${site.dataDir.home} não tem o banco ${site.name}: tente de novo em instantes ` +
            'ou defina DATABASE_URL',
        )
      else await sleep(50)
    }
  } finally {
    await endQuietly(client)
  }
  return { ...describe(site, reached.socketFolder), onLost: () => undefined, stop: () => Promise.resolve() }
}

function describe(site: Site, host: string): Omit<EmbeddedPostgres, 'onLost' | 'stop'> {
  const there = { host, port, database: site.name }
  return {
    connection: { ...there, user: site.name },
    superuser: { ...there, user: superuserRole },
    home: site.dataDir.home,
    version: site.binaries.version,
  }
}
