import type { Duplex } from 'node:stream'
import pg from 'pg'
import { type SQL, sql } from 'drizzle-orm'

/** Statements that a connection keeps prepared by default; each takes 17 to 33 kB of its server process. */
const usualLimit = 200

export interface PreparingClientConfig extends pg.ClientConfig {
  /** Statements kept prepared, at least 1. The least recently used one is closed in favour of a new one. */
  maxPreparedStatements?: number
}

/**
 * A connection that prepares each statement under a name, so that the server parses and plans it once. A text
 * without values is sent as it is if it may contain several statements or is none that is planned, and so is
 * a statement that `plannedEachTime` has marked.
 *
 * When the server has lost a name (26000, after DISCARD ALL), or the columns of a statement have changed
 * (0A000, after a migration), all names are dropped. Outside a transaction the statement is run again at
 * once. In a transaction, which the error has aborted, the caller may repeat the transaction if
 * `isStalePreparation` is true for the error.
 */
class Preparing extends pg.Client {
  readonly #names: StatementNames
  #isGathering = false

  constructor(config?: PreparingClientConfig) {
    super(config)
    // Statements go out without waiting for earlier answers. Not set in a copy of the configuration: the
    // pool hides the password from copies.
    Object.assign(this, { pipeline: true })
    this.#names = new StatementNames(config?.maxPreparedStatements ?? usualLimit)
  }

  /** Takes the arguments of the base class and returns what it returns. */
  override query(...args: unknown[]): never {
    this.#gatherWrites()
    const call = parseArguments(args)
    if (call?.config.text.startsWith('begin') && !call.callback) return this.#begin(args) as never
    if (!call || !mayBePrepared(call)) return forward(super.query, this, args)
    const { config, values, callback } = call
    if (callback) return this.#run(config, values, callback) as never
    const promise = new Promise((resolve, reject) => {
      this.#run(config, values, (error, result) => (error ? reject(error) : resolve(result)))
    })
    return promise.catch((error: Error) => {
      // Replaces the stack of the socket by that of the caller, as the base class does.
      Error.captureStackTrace(error)
      throw error
    }) as never
  }

  /**
   * Keeps what is written until nothing more can follow without waiting, so that statements sent together,
   * such as BEGIN and the one after it, are one write to the socket.
   */
  #gatherWrites(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const { stream } = (this as unknown as { connection: Connection }).connection
    stream.cork()
    // The tick follows all microtasks, and so everything that continues after a settled promise.
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#isGathering = false
        stream.uncork()
      }),
    )
  }

  /**
   * Resolves before the server has answered, so that the first statement is sent in the same round trip.
   * BEGIN fails only if the connection fails, and then so does that statement.
   */
  async #begin(args: unknown[]): Promise<Pick<pg.QueryResult, 'rows'>> {
    const sent = forward(super.query, this, args) as Promise<unknown>
    sent.catch(() => undefined)
    return { rows: [] }
  }

  #run(config: pg.QueryConfig, values: unknown[], callback: Callback): void {
    const query = new PreparedQuery(this.#names, config, values, (error, result) => {
      if (!error || !isStalePreparation(error)) return callback(error, result)
      this.#names.dropAll()
      // The status is that of before the statement, since the server reports the new one after the error.
      if (this.getTransactionStatus() !== 'I') return callback(error, result)
      // The connection becomes ready only after this error.
      setImmediate(() => forward(super.query, this, [config, values, callback]))
    })
    forward(super.query, this, [query])
  }
}

/** With the overloads of the base class. */
export const PreparingClient: new (config?: PreparingClientConfig) => pg.Client = Preparing

const forward = (method: pg.Client['query'], client: pg.Client, args: unknown[]): never =>
  Reflect.apply(method, client, args) as never

type Callback = (error: Error | undefined, result: unknown) => void

/** The arguments of `query`. */
interface QueryCall {
  config: pg.QueryConfig
  values: unknown[]
  callback: Callback | undefined
}

/** @returns undefined for what is left to the driver: cursors, missing texts, statements with a name */
function parseArguments([first, ...rest]: unknown[]): QueryCall | undefined {
  const config = (typeof first === 'string' ? { text: first } : first) as pg.QueryConfig | undefined
  if (typeof config?.text !== 'string' || config.name || 'submit' in config) return undefined
  const values: unknown = Array.isArray(rest[0]) ? rest[0] : config.values
  const callback = rest.find((one) => typeof one === 'function') as Callback | undefined
  return { config, values: Array.isArray(values) ? values : [], callback }
}

function mayBePrepared({ config: { text }, values }: QueryCall): boolean {
  return (values.length > 0 || isOnePlannedStatement(text)) && !text.includes(mark)
}

/** A semicolon in a literal counts too: such a statement is sent as it is. */
const isOnePlannedStatement = (text: string) =>
  /^\s*(select|with|insert|update|delete)\s/i.test(text) && !text.includes(';')

const mark = '/* planned each time */'

/**
 * Marks a condition whose statement must be planned for its values at each execution: a search, or a filter
 * by something that few or nearly all rows have, where one plan for all values can be a hundred times slower.
 */
export function plannedEachTime<T extends SQL | undefined>(condition: T): SQL | T {
  return condition && sql`${condition} ${sql.raw(mark)}`
}

/** Whether a prepared statement is lost or out of date, by the error or one of its causes. */
export function isStalePreparation(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, routine } = at as { code?: unknown; routine?: unknown }
    // Checked by the routine: the code has other meanings, and the message is in the server's language.
    if (code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')) return true
  }
  return false
}

/** Members of the driver's connection that its types leave out. */
interface Connection {
  stream: Duplex
  parsedStatements: Record<string, string>
  close(message: { type: 'S'; name: string }): void
}

/** The names of a connection's prepared statements, the most recently used last. */
class StatementNames {
  readonly #limit: number
  readonly #byText = new Map<string, string>()
  /** Dropped names that the server may still have, to be closed with the next statement. */
  #dropped: string[] = []
  /** The number of the last name; none is used twice. */
  #lastNumber = 0

  constructor(limit: number) {
    this.#limit = Math.max(1, limit)
  }

  dropAll(): void {
    this.#dropped.push(...this.#byText.values())
    this.#byText.clear()
  }

  /** Names a statement about to be sent. Dropped names are closed before it, in the same round trip. */
  nameFor(text: string, connection: Connection): string {
    const name = this.#byText.get(text) ?? `s${++this.#lastNumber}`
    this.#byText.delete(text)
    this.#byText.set(text, name)
    if (this.#byText.size > this.#limit) {
      const [oldest] = this.#byText
      if (oldest) {
        this.#byText.delete(oldest[0])
        this.#dropped.push(oldest[1])
      }
    }
    for (const dropped of this.#dropped) {
      // Closing an unknown name is not an error.
      connection.close({ type: 'S', name: dropped })
      delete connection.parsedStatements[dropped]
    }
    this.#dropped = []
    return name
  }
}

/** The driver's query, with members that its types leave out. */
interface DriverQuery {
  text: string
  name: string | undefined
  requiresPreparation(): boolean
  prepare(connection: Connection): void
}

const DriverQuery = pg.Query as unknown as new (
  config: pg.QueryConfig,
  values: unknown[],
  callback: Callback,
) => DriverQuery

/** Named when it is sent, and not when it is queued, since names are closed in the order of sending. */
class PreparedQuery extends DriverQuery {
  readonly #names: StatementNames

  constructor(names: StatementNames, config: pg.QueryConfig, values: unknown[], callback: Callback) {
    super(config, values, callback)
    this.#names = names
  }

  /** By default only with a name, which is assigned later, or with values. */
  override requiresPreparation(): boolean {
    return true
  }

  override prepare(connection: Connection): void {
    this.name = this.#names.nameFor(this.text, connection)
    super.prepare(connection)
  }
}
