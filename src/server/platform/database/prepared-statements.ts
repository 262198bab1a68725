import pg from 'pg'
import { type SQL, sql } from 'drizzle-orm'

/** Statements a connection keeps prepared unless said otherwise; each costs its server process 17 to 33 kB. */
const usualLimit = 200

export interface PreparingClientConfig extends pg.ClientConfig {
  /** Statements kept prepared, at least 1; the least recently used one is closed for a new one. */
  maxPreparedStatements?: number
}

/**
 * A connection that has each statement with values parsed and planned once: it names the statement the first time and
 * only binds values to that name afterwards. A statement without values goes out as it is, since it may be several,
 * and so does what `plannedEachTime` has marked.
 *
 * A name that the server has lost (26000, after DISCARD ALL), or whose columns have changed since (0A000, after a
 * migration), is forgotten with all others. Outside a transaction the statement runs again at once; inside one the
 * error has aborted the transaction, and `isStalePreparation` tells whoever runs it that it may be run again.
 */
class Preparing extends pg.Client {
  readonly #names: StatementNames

  constructor(config?: PreparingClientConfig) {
    super(pipelined(config))
    this.#names = new StatementNames(config?.maxPreparedStatements ?? usualLimit)
  }

  /** Takes whatever the base class takes and returns what it returns. */
  override query(...args: unknown[]): never {
    const asked = readArguments(args)
    if (asked?.config.text.startsWith('begin') && !asked.callback) return this.#begin(args) as never
    if (!asked || !canBePrepared(asked)) return forward(super.query, this, args)
    const { config, values, callback } = asked
    if (callback) return this.#run(config, values, callback) as never
    const promise = new Promise((resolve, reject) => {
      this.#run(config, values, (error, result) => (error ? reject(error) : resolve(result)))
    })
    return promise.catch((error: Error) => {
      // As the base class does: the caller's stack instead of the socket's.
      Error.captureStackTrace(error)
      throw error
    }) as never
  }

  /**
   * Resolves before the server has answered, so that the transaction's first statement goes out in the same round trip.
   * BEGIN fails only where the connection has failed, and then so does that statement.
   */
  async #begin(args: unknown[]): Promise<Pick<pg.QueryResult, 'rows'>> {
    const sent = forward(super.query, this, args) as Promise<unknown>
    sent.catch(() => undefined)
    return { rows: [] }
  }

  #run(config: pg.QueryConfig, values: unknown[], callback: Callback): void {
    const query = new PreparedQuery(this.#names, config, values, (error, result) => {
      if (!error || !isStalePreparation(error)) return callback(error, result)
      this.#names.forgetAll()
      // The state is that of before the statement: the server tells the new one after the error.
      if (this.getTransactionStatus() !== 'I') return callback(error, result)
      // The connection is ready for it in a moment.
      setImmediate(() => forward(super.query, this, [config, values, callback]))
    })
    forward(super.query, this, [query])
  }
}

/**
 * Statements that nobody has waited for go out together, in their order. In a transaction those after a failed one fail
 * as well.
 */
const pipelined = (config: pg.ClientConfig | undefined) => ({ ...config, pipeline: true })

/** With the overloads of the base class. */
export const PreparingClient: new (config?: PreparingClientConfig) => pg.Client = Preparing

const forward = (method: pg.Client['query'], client: pg.Client, args: unknown[]): never =>
  Reflect.apply(method, client, args) as never

type Callback = (error: Error | undefined, result: unknown) => void

interface Asked {
  config: pg.QueryConfig
  values: unknown[]
  callback: Callback | undefined
}

/** @returns undefined for what the driver must judge itself: cursors, missing texts, statements with a name */
function readArguments([first, ...rest]: unknown[]): Asked | undefined {
  const config = (typeof first === 'string' ? { text: first } : first) as pg.QueryConfig | undefined
  if (typeof config?.text !== 'string' || config.name || 'submit' in config) return undefined
  const values = Array.isArray(rest[0]) ? (rest[0] as unknown[]) : config.values
  const callback = rest.find((one) => typeof one === 'function') as Callback | undefined
  return Array.isArray(values) ? { config, values, callback } : undefined
}

function canBePrepared({ config, values }: Asked): boolean {
  return values.length > 0 && !config.text.includes(mark)
}

const mark = '/* planned each time */'

/**
 * A condition whose statement is planned anew for its values at each execution: a search, or a filter by something
 * that few or nearly all rows have, where one plan for all values can be a hundred times slower.
 */
export function plannedEachTime<T extends SQL | undefined>(condition: T): SQL | T {
  return condition && sql`${condition} ${sql.raw(mark)}`
}

/** Whether an error says that a prepared statement is gone or out of date, wherever the query builder put it. */
export function isStalePreparation(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, routine } = at as { code?: unknown; routine?: unknown }
    // By the routine, since the message is in the server's language and the code has other meanings.
    if (code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')) return true
  }
  return false
}

/** What of the driver's connection is needed here; its types leave these members out. */
interface Connection {
  parsedStatements: Record<string, string>
  close(message: { type: 'S'; name: string }): void
}

/** The names that one connection has given, the most recently used last. */
class StatementNames {
  readonly #limit: number
  readonly #byText = new Map<string, string>()
  /** Names the server may still have, to be closed with the next statement. */
  #forgotten: string[] = []
  /** A name is never given twice. */
  #given = 0

  constructor(limit: number) {
    this.#limit = Math.max(1, limit)
  }

  forgetAll(): void {
    this.#forgotten.push(...this.#byText.values())
    this.#byText.clear()
  }

  /**
   * The name of a statement that is about to be sent. Names that fall out are closed by a message before it, in the
   * same round trip.
   */
  take(text: string, connection: Connection): string {
    const name = this.#byText.get(text) ?? `s${++this.#given}`
    this.#byText.delete(text)
    this.#byText.set(text, name)
    if (this.#byText.size > this.#limit) {
      const [oldest] = this.#byText
      if (oldest) {
        this.#byText.delete(oldest[0])
        this.#forgotten.push(oldest[1])
      }
    }
    for (const old of this.#forgotten) {
      // Closing a name that the server does not know is no error.
      connection.close({ type: 'S', name: old })
      delete connection.parsedStatements[old]
    }
    this.#forgotten = []
    return name
  }
}

/** The driver's query, with the members that its types leave out. */
interface DriverQuery {
  text: string
  name: string | undefined
  prepare(connection: Connection): void
}

const DriverQuery = pg.Query as unknown as new (
  config: pg.QueryConfig,
  values: unknown[],
  callback: Callback,
) => DriverQuery

/** Gets its name when it is sent and not when it is asked: names are closed in the order of sending. */
class PreparedQuery extends DriverQuery {
  readonly #names: StatementNames

  constructor(names: StatementNames, config: pg.QueryConfig, values: unknown[], callback: Callback) {
    super(config, values, callback)
    this.#names = names
  }

  override prepare(connection: Connection): void {
    this.name = this.#names.take(this.text, connection)
    super.prepare(connection)
  }
}
