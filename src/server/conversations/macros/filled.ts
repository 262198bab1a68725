import { AppError } from '#shared/errors.ts'
import type { MacroRun } from '#shared/macros/macro-runs.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { templateValuesOf, valueFor } from '#server/conversations/store/texts.ts'
import { forgottenIn, nameIn, placeholdersIn, replacePlaceholders } from '#shared/text/template.ts'

/** The value of a placeholder with its braces; undefined without one. */
type ValueOf = (placeholder: string) => string | undefined

/** The values of a conversation, for a person. */
export async function valuesFor(db: Db, who: Who, conversation: Locked): Promise<ValueOf> {
  const values = { ...(await templateValuesOf(db, conversation)), operator: who.name }
  return (placeholder) => valueFor(who, placeholder, values)
}

/** What a person has written for placeholders that have no value. */
export type Written = NonNullable<MacroRun['values']>

/**
 * The text of a step with the values of the conversation, and where there is none what the person has
 * written.
 * @returns `missing`: the placeholders without either, with their braces, which stay in the text
 */
export function filledStep(
  text: string,
  valueOf: ValueOf,
  written: Written,
): { text: string; missing: string[] } {
  const given = new Map<string, string>(written.map(({ field, value }) => [field, value]))
  const all = new Map(forgottenIn(text).map((each) => [each, valueOf(each) ?? given.get(nameIn(each))]))
  const missing = [...all].flatMap(([each, value]) => (value === undefined ? [each] : []))
  return { text: replacePlaceholders(text, (each) => all.get(each)), missing }
}

/**
 * Expects a text of a step, as it is stored, to have no placeholder that is not known, which would go out.
 * @throws AppError 422 with those that are not
 */
export function expectKnownFields(text: string): void {
  const known = forgottenIn(text)
  const unknown = placeholdersIn(text).filter((each) => !known.includes(each))
  if (unknown.length > 0)
    throw new AppError('macros.unknown_field', { values: { fields: unknown.join(', ') } })
}
