import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import pg from 'pg'
import { vi } from 'vitest'
import type { Database } from '#server/platform/database/db.ts'
import type { SignalChannel } from '#server/platform/work/signals.ts'

/** A statement as the driver sent it. */
export interface Statement {
  text: string
  values: unknown[]
}

export interface Cost {
  /** Without statements that begin and end transactions. */
  statements: number
  roundTrips: number
  /** Commits of transactions that may write, and writes outside of a transaction. */
  commits: number
}

/** Records every statement of this process with the request or work that caused it. */
export interface Watch {
  /**
   * The statements of the last answered request with this method and address, such as 'GET /api/stats?day=1';
   * each is returned once. The caller may have the answer before the server has noted that it is sent.
   */
  ofRequest(name: string): Promise<Statement[]>
  /** Adds all statements of the work to the list, including later ones that it triggers. */
  during<T>(list: Statement[], work: () => T): T
  /** Runs work whose statements are not recorded. */
  outside<T>(work: () => T): T
  stop(): void
}

export function watchStatements(): Watch {
  const asked = new AsyncLocalStorage<Statement[]>()
  const answered = new Map<string, Statement[]>()
  const onRequest = () => asked.enterWith([])
  const onResponse = (message: unknown) => {
    const { method = '', url = '' } = (message as { request: IncomingMessage }).request
    answered.set(`${method} ${url}`, [...(asked.getStore() ?? [])])
  }
  const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    asked.getStore()?.push(statementOf(args))
    return Reflect.apply(query, this, args)
  } as never)
  // When all connections are in use, the pool goes on where one is given back, which is another request or
  // worker. Bound, what waited for a connection counts for whoever asked.
  const connect = Reflect.get(pg.Pool.prototype, 'connect') as (...args: unknown[]) => unknown
  const pool = vi.spyOn(pg.Pool.prototype, 'connect').mockImplementation(function (
    this: pg.Pool,
    ...callbacks: unknown[]
  ) {
    const bound = callbacks.map((callback) => AsyncLocalStorage.bind(callback as () => void))
    return Reflect.apply(connect, this, bound)
  } as never)
  subscribe('http.server.request.start', onRequest)
  subscribe('http.server.response.finish', onResponse)
  return {
    ofRequest: (name) =>
      vi.waitFor(() => {
        const statements = answered.get(name)
        if (!statements) throw new Error(`${name} was not answered`)
        answered.delete(name)
        return statements
      }, 5000),
    during: (list, work) => asked.run(list, work),
    outside: (work) => asked.exit(work),
    stop() {
      unsubscribe('http.server.request.start', onRequest)
      unsubscribe('http.server.response.finish', onResponse)
      spy.mockRestore()
      pool.mockRestore()
    },
  }
}

/** The driver takes a text, or an object with the text; values are in the object or follow it. */
function statementOf([first, second]: unknown[]): Statement {
  const { text, values = second } =
    typeof first === 'string' ? { text: first } : (first as { text: string; values?: unknown })
  return { text, values: Array.isArray(values) ? (values as unknown[]) : [] }
}

/** Keeps work that a commit triggers elsewhere from counting as the request's. */
export function apart(watch: Watch, database: Database): Database {
  const { send } = database.signals
  return Object.assign(database, {
    signals: { ...database.signals, send: (channel: SignalChannel) => watch.outside(() => send(channel)) },
  })
}

export function costOf(all: Statement[]): Cost {
  let isOpen = false
  let isReading = false
  let commits = 0
  for (const { text } of all) {
    if (/^begin/i.test(text)) [isOpen, isReading] = [true, / read only/i.test(text)]
    else if (/^commit/i.test(text)) commits += isReading ? 0 : 1
    else if (!isOpen && /^\s*(insert|update|delete|with)/i.test(text)) commits++
    if (/^(commit|rollback)/i.test(text)) isOpen = false
  }
  return { statements: withoutControl(all).length, roundTrips: all.length, commits }
}

/** Drops the statements that begin and end transactions. */
export function withoutControl(all: Statement[]): Statement[] {
  return all.filter(({ text }) => !/^(begin|commit|rollback|savepoint|release)/i.test(text))
}

/** One line per statement, to find out which operation became more expensive. */
export function formatStatements(all: Statement[]): string {
  return all.map(({ text }) => `\n  ${text.replaceAll(/\s+/g, ' ').slice(0, 120)}`).join('')
}
