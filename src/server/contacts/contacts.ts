import { eq } from 'drizzle-orm'
import type { Contact, ContactCard } from '#shared/contacts/contacts.ts'
import { AppError } from '#shared/errors.ts'
import { type ImportContext, importContactsJob, undoImportJob } from '#server/contacts/import/run.ts'
import { trimImportsJob } from '#server/contacts/import/trim.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { contactCategories, contacts } from '#server/schema/contacts/contacts.ts'
import {
  type AvatarClaim,
  claimAvatar,
  listDueAvatars,
  findAvatarName,
  keepAvatar,
  noAvatar,
  postponeAvatar,
} from './avatars.ts'
import { toCard, toContact } from './card.ts'
import { changeCategory, deleteCategory } from './categories.ts'
import { changeContact, setBlocked } from './change.ts'
import {
  addressOf,
  chatJid,
  contactOf,
  isGivenAddress,
  keysOf,
  learnPhoneJid,
  lockContact,
  nameByBook,
} from './identity/identity.ts'
import { listDuplicates } from './merging/duplicates.ts'
import { formerForm, isErased, printOf } from './identity/erased.ts'
import { joinContacts, keepName } from './merging/join.ts'
import { lockKnown } from './identity/known.ts'
import { mendPhone, undoMending } from './mending/mend-phones.ts'
import { type WrongPhone, wrongPhones } from './mending/stored-phones.ts'
import {
  areDistinct,
  declareDistinct,
  factsOf,
  forgetDistinction,
  listMerges,
  lockPair,
  lockUndoable,
  partContacts,
  readFacts,
  recordMerge,
  trimMergesJob,
} from './merging/merges.ts'
import { listIdentityIds } from './identity/numbers.ts'
import { cardColumns, findContactRow, ofCategory, ofCompany } from './queries.ts'

export {
  addressOf,
  areDistinct,
  declareDistinct,
  factsOf,
  forgetDistinction,
  listIdentityIds,
  listMerges,
  lockPair,
  lockUndoable,
  partContacts,
  readFacts,
  recordMerge,
  trimMergesJob,
  type AvatarClaim,
  cardColumns,
  changeCategory,
  chatJid,
  changeContact,
  claimAvatar,
  listDuplicates,
  listDueAvatars,
  contactOf,
  deleteCategory,
  findAvatarName,
  formerForm,
  isErased,
  isGivenAddress,
  keysOf,
  learnPhoneJid,
  lockContact,
  lockKnown,
  joinContacts,
  keepName,
  keepAvatar,
  mendPhone,
  nameByBook,
  noAvatar,
  ofCategory,
  ofCompany,
  postponeAvatar,
  printOf,
  setBlocked,
  toCard,
  undoMending,
  type WrongPhone,
  wrongPhones,
}

/** The long and the scheduled work of the room. */
export const contactJobs = (context: ImportContext): JobDefinition<never>[] => [
  importContactsJob(context),
  undoImportJob(context),
  trimImportsJob(context.database, context.files),
]

/** Gives the contacts of a sector another one, or none. @returns how many living ones */
export async function leaveContactsOf(db: Db, sectorId: number, targetId: number | null): Promise<number> {
  const left = await db
    .update(contacts)
    .set({ sectorId: targetId })
    .where(eq(contacts.sectorId, sectorId))
    .returning({ deletedAt: contacts.deletedAt })
  return left.filter(({ deletedAt }) => deletedAt === null).length
}

export const contactNotFound = () => new AppError('contacts.not_found')

/**
 * Returns a contact with all of its fields.
 * @throws AppError 404 when it does not exist or was deleted
 */
export async function readContact(db: Db, id: number): Promise<Contact> {
  const row = await findContactRow(db, id)
  if (!row) throw contactNotFound()
  return toContact(row)
}

/** Returns a contact's card; undefined when it does not exist or was deleted. */
export async function findCard(db: Db, id: number): Promise<ContactCard | undefined> {
  const row = await findContactRow(db, id)
  return row && toCard(row)
}

/** The five categories of a new installation. @see specification §3 Contact category */
const knownCategories = [
  { name: 'Cliente', color: '#2563eb', priority: 2 },
  { name: 'Lead', color: '#16a34a', priority: 3 },
  { name: 'Fornecedor', color: '#9333ea', priority: 4 },
  { name: 'Suporte', color: '#ea580c', priority: 2 },
  { name: 'VIP', color: '#dc2626', priority: 1 },
] as const

/**
 * Inserts the known categories into a new database; later starts change nothing and do not restore deleted
 * ones.
 */
export async function ensureKnownCategories(db: Db): Promise<void> {
  await db
    .insert(contactCategories)
    .values([...knownCategories])
    .onConflictDoNothing()
}
