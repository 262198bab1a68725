import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import pg from 'pg'
import { vi } from 'vitest'
import type { Database } from '#server/platform/database/db.ts'
import type { SignalChannel } from '../platform/work/signals.ts'

/** Something that was asked of the database, as the driver sent it. */
export interface Statement {
  text: string
  values: unknown[]
}

export interface Cost {
  /** Without those that begin and end transactions. */
  statements: number
  roundTrips: number
  /** Of transactions that may write, and of writes outside of one. */
  commits: number
}

/** Every statement of this process, on the account of the request, or of the work, that asked it. */
export interface Watch {
  /** What the last answered request asked of this method and address, such as 'GET /api/stats?day=1'. */
  ofRequest(name: string): Statement[]
  /** Whatever the work asks, now and later, goes into the list. */
  during<T>(list: Statement[], work: () => T): T
  /** On nobody's account. */
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
  subscribe('http.server.request.start', onRequest)
  subscribe('http.server.response.finish', onResponse)
  return {
    ofRequest: (name) => answered.get(name) ?? [],
    during: (list, work) => asked.run(list, work),
    outside: (work) => asked.exit(work),
    stop() {
      unsubscribe('http.server.request.start', onRequest)
      unsubscribe('http.server.response.finish', onResponse)
      spy.mockRestore()
    },
  }
}

/** The driver takes a text or an object with one, and the values in the object or after it. */
function statementOf([first, second]: unknown[]): Statement {
  const { text, values = second } =
    typeof first === 'string' ? { text: first } : (first as { text: string; values?: unknown })
  return { text, values: Array.isArray(values) ? (values as unknown[]) : [] }
}

/** What others do after a commit is not on the account of the request that woke them. */
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

/** Without what begins and ends transactions. */
export function withoutControl(all: Statement[]): Statement[] {
  return all.filter(({ text }) => !/^(begin|commit|rollback|savepoint|release)/i.test(text))
}

/** One line each, for whoever has to find out what became dearer. */
export function told(all: Statement[]): string {
  return all.map(({ text }) => `\n  ${text.replaceAll(/\s+/g, ' ').slice(0, 120)}`).join('')
}
