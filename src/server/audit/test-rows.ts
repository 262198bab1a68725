/** For tests: rows of the audit log, and their sealing. */
import type { Database, Db } from '#server/platform/database/db.ts'
import { type Break, record, sealRows } from './audit.ts'

export const source = { address: '203.0.113.7', device: 'Prova/1.0' }
export const marina = { id: 1, name: 'Marina', role: 'admin', sessionId: 7, source } as const

export const block = (db: Db, userId: number) =>
  record(db, marina, { action: 'user.block', resourceId: userId, details: { freed: userId } })

/** @returns how many rows were sealed */
export async function sealAll(database: Database): Promise<number> {
  let sealed = 0
  for (let some = await sealRows(database); some > 0; some = await sealRows(database)) sealed += some
  return sealed
}

export const faultsOf = (breaks: Break[]) => breaks.map(({ position, kind }) => `${position} ${kind}`)
