import { AppError } from '#shared/errors.ts'
import { fieldNameOf } from '#shared/text/field-names.ts'
import { fillTemplate, forgottenIn, type TemplateValues } from '#shared/text/template.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { templateValuesOf, valueFor } from '#server/conversations/store/texts.ts'

/**
 * The text as the client gets it, with the values of the conversation.
 * @throws AppError 422 with the placeholders that have no value there: no client should read braces or gaps,
 *   and nobody a number that is hidden from them
 */
export async function filled(
  db: Db,
  conversation: Pick<Locked, 'contactId' | 'instanceId' | 'sectorId' | 'assignedUserId' | 'protocol'>,
  who: { name: string; hidesPhones: boolean },
  content: string,
): Promise<string> {
  const left = forgottenIn(content)
  if (left.length === 0) return content
  const found = await templateValuesOf(db, conversation)
  const values: TemplateValues = { ...found, operator: who.name }
  const missing = left.filter((each) => valueFor(who, each, values) === undefined)
  if (missing.length > 0)
    throw new AppError('scheduled.no_value', { values: { fields: missing.map(fieldNameOf).join(', ') } })
  return fillTemplate(content, values)
}
