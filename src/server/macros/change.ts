import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { type MacroChange, macroLimits, type NewMacro } from '#shared/macros/managed-macros.ts'
import type { MacroStep } from '#shared/macros/steps.ts'
import { fold } from '#shared/text/fold.ts'
import { record } from '#server/audit/audit.ts'
import { findFile, ownMacroFiles } from '#server/media/media.ts'
import { lockName } from '#server/platform/database/locks.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { macros } from '#server/schema/macros/macros.ts'
import { shareSector } from '#server/sectors/sectors.ts'
import {
  isFileSeen,
  listBeside,
  lockSeen,
  type MacroRow,
  mayChange,
  mayShare,
  type Sharing,
} from './queries.ts'

// Whoever changes macros does so one after another; a sector is locked before macros, as where it is deleted.

const filesOf = (steps: readonly MacroStep[]): string[] => [
  ...new Set(steps.flatMap((step) => (step.kind === 'file' ? [step.file.name] : []))),
]

/**
 * @throws AppError 403 for sharing with others than one may, 404 for a file that is not the person's to name,
 *   409 for a name or a shortcut that is taken, or one too many
 */
export async function addMacro(db: Tx, who: Who, { steps, ...form }: NewMacro): Promise<number> {
  const sharing = await sharingOf(db, form)
  await lockName(db, 'macros')
  await confirmRights(who, db)
  if (!mayShare(who, sharing)) throw new AppError('macros.may_not_share')
  const row = { ...sharing, ownerId: who.id, name: form.name, shortcut: form.shortcut }
  const others = await listBeside(db, row)
  expectFree(others, row)
  const most = sharing.isShared ? macroLimits.shared : macroLimits.own
  if (others.length >= most) throw new AppError('macros.too_many', { values: { most: String(most) } })
  const fileNames = filesOf(steps)
  await expectNameable(db, who, fileNames)
  const [made] = await db
    .insert(macros)
    .values({ ...row, steps, fileNames })
    .returning({ id: macros.id })
  if (!made) throw new Error('macro not written')
  await ownMacroFiles(db, fileNames)
  await record(db, who, {
    action: 'macro.create',
    resourceId: made.id,
    details: { name: form.name, isShared: sharing.isShared },
  })
  db.emit({ type: 'macros_changed' })
  return made.id
}

/**
 * Changes the given fields of a macro.
 * @returns the version that it has then
 * @throws AppError 403 as `addMacro`, or of others, 404, 409 also when somebody has changed it since
 */
export async function changeMacro(db: Tx, who: Who, id: number, change: MacroChange): Promise<number> {
  const { version, ...wanted } = change
  if (wanted.sectorId != null) await expectSector(db, wanted.sectorId)
  await lockName(db, 'macros')
  const before = await lockSeen(db, who, id)
  await confirmRights(who, db)
  if (!before) throw new AppError('macros.not_found')
  if (!mayChange(who, before)) throw new AppError('macros.not_yours')
  if (version !== undefined && version !== before.version) throw new AppError('macros.changed')
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
  const after: MacroRow = { ...before, ...given }
  if (!after.isShared) after.sectorId = null
  const fields = (['name', 'shortcut', 'isShared', 'sectorId', 'steps'] as const).filter(
    (field) => !isDeepStrictEqual(after[field], before[field]),
  )
  if (fields.length === 0) return before.version
  // What becomes somebody's own is that of whoever makes it so.
  if (before.isShared && !after.isShared) after.ownerId = who.id
  if (!mayShare(who, after)) throw new AppError('macros.may_not_share')
  if (fields.some((field) => field !== 'steps'))
    expectFree(
      (await listBeside(db, after)).filter((row) => row.id !== id),
      after,
    )
  after.fileNames = filesOf(after.steps)
  await expectNameable(
    db,
    who,
    after.fileNames.filter((name) => !before.fileNames.includes(name)),
  )
  const { name, shortcut, isShared, sectorId, steps, ownerId, fileNames } = after
  const [changed] = await db
    .update(macros)
    .set({
      name,
      shortcut,
      isShared,
      sectorId,
      steps,
      ownerId,
      fileNames,
      version: sql`${macros.version} + 1`,
    })
    .where(eq(macros.id, id))
    .returning({ version: macros.version })
  if (!changed) throw new Error('macro not written')
  await ownMacroFiles(db, [...new Set([...before.fileNames, ...fileNames])])
  // Of the steps only how many there are: they have texts.
  const told = (row: MacroRow, field: (typeof fields)[number]) =>
    field === 'steps' ? row.steps.length : row[field]
  const changes = Object.fromEntries(
    fields.map((field) => [field, [told(before, field), told(after, field)] as const]),
  )
  await record(db, who, { action: 'macro.change', resourceId: id, details: { name, changes } })
  db.emit({ type: 'macros_changed' })
  return changed.version
}

/** @throws AppError 403 of others, 404 */
export async function removeMacro(db: Tx, who: Who, id: number): Promise<void> {
  await lockName(db, 'macros')
  const row = await lockSeen(db, who, id)
  await confirmRights(who, db)
  if (!row) throw new AppError('macros.not_found')
  if (!mayChange(who, row)) throw new AppError('macros.not_yours')
  await db.delete(macros).where(eq(macros.id, id))
  await ownMacroFiles(db, row.fileNames)
  await record(db, who, { action: 'macro.delete', resourceId: id, details: { name: row.name } })
  db.emit({ type: 'macros_changed' })
}

async function sharingOf(db: Db, { isShared, sectorId }: Sharing): Promise<Sharing> {
  if (!isShared) return { isShared, sectorId: null }
  if (sectorId !== null) await expectSector(db, sectorId)
  return { isShared, sectorId }
}

async function expectSector(db: Db, sectorId: number): Promise<void> {
  if (!(await shareSector(db, sectorId))) throw new AppError('sectors.unknown')
}

function expectFree(others: readonly MacroRow[], { name, shortcut }: Pick<MacroRow, 'name' | 'shortcut'>) {
  if (others.some(({ nameFolded }) => nameFolded === fold(name)))
    throw new AppError('macros.duplicate', { values: { name } })
  const same = others.find((other) => fold(other.shortcut) === fold(shortcut))
  if (same) throw new AppError('macros.duplicate_shortcut', { values: { shortcut, name: same.name } })
}

/**
 * Expects files that were just uploaded for macros, or that are of a macro that the person sees: naming one
 * must not open it.
 */
async function expectNameable(db: Db, who: Who, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const file = await findFile(db, name)
    const isOther = !file || file.messageId !== null || file.contactId !== null || file.userId !== null
    if (isOther || file.isQuickResponse || file.isErased) throw new AppError('media.not_found')
    if (file.isOfMacro && !(await isFileSeen(db, who, name))) throw new AppError('media.not_found')
  }
}
