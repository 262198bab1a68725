import { sql } from 'drizzle-orm'
import type { Endpoint, Schema } from '#shared/endpoint.ts'
import { maskPhone, maskPhonesIn } from '#shared/contacts/masked-phone.ts'
import { EtagResponse } from '#server/platform/http/answers/etag-response.ts'
import { BuiltAnswer } from '#server/platform/http/answers/built-answer.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { phonePattern } from '#server/schema/declare/spellings.ts'
import { type Hide, hidingOf, maskAll, type MaskOwn } from './hidden-phones.ts'

/** Looks up which numbers the clients of conversations have. */
export type FindOwn = (conversationIds: readonly number[]) => Promise<MaskOwn>

export function findOwnIn(db: Db): FindOwn {
  return async (conversationIds) => {
    const found = await rows<{ id: number; phones: string[] }>(
      db,
      sql`select v.id, array(select k.phone from contacts k where k.id = v.contact_id and k.phone is not null
                             union select i.value from contact_identities i
                                    where i.contact_id = v.contact_id and i.kind = 'phone') as phones
            from conversations v where v.id = any(${sql.param(conversationIds)}::int[])`,
    )
    const patterns = new Map(
      found.map(({ id, phones }) => [
        id,
        phones.map((phone) => new RegExp(String.raw`[+(]{0,2}${phonePattern(phone)}`, 'g')),
      ]),
    )
    return (conversationId, text) =>
      (patterns.get(conversationId) ?? []).reduce(
        (masked, pattern) => masked.replace(pattern, (number) => maskPhone(number)),
        text,
      )
  }
}

const findNone: FindOwn = async () => maskAll

/**
 * The answer to a call as somebody gets it from whom numbers are hidden.
 * @param findOwn without it every number in what was told is masked
 */
export async function hideAnswer(
  { ids, reply }: Pick<Endpoint, 'ids' | 'reply'>,
  { params }: { params: unknown },
  answer: unknown,
  findOwn: FindOwn = findNone,
): Promise<unknown> {
  const hide = reply && hidingOf(reply)
  if (!hide) return answer
  const [name] = Object.entries(ids).find(([, subject]) => subject === 'conversation') ?? []
  const id = name === undefined ? undefined : (params as Record<string, unknown>)[name]
  const conversationId = typeof id === 'number' ? id : undefined
  const hideOf = (value: unknown) => hideValue(hide, value, findOwn, conversationId)
  if (answer instanceof BuiltAnswer) return new BuiltAnswer(await hideOf(answer.value))
  if (answer instanceof EtagResponse) return hideShared(answer, hideOf)
  return hideOf(answer)
}

/** A value of a schema as a person gets it. */
export async function hideFor<Value>(
  db: Db,
  who: { hidesPhones: boolean },
  schema: Schema,
  value: Value,
): Promise<Value> {
  const hide = who.hidesPhones ? hidingOf(schema) : undefined
  return hide ? hideValue(hide, value, findOwnIn(db)) : value
}

/** Only where something is told that may be a number, clients' own ones are looked up. */
async function hideValue<Value>(
  hide: Hide,
  value: Value,
  findOwn: FindOwn,
  conversationId?: number,
): Promise<Value> {
  const telling = new Set<number>()
  const note: MaskOwn = (id, text) => {
    if (maskPhonesIn(text) !== text) telling.add(id)
    return text
  }
  const masked = hide(value, note, conversationId) as Value
  if (telling.size === 0) return masked
  return hide(value, await findOwn([...telling]), conversationId) as Value
}

/** Built once for all from whom numbers are hidden, as the answer is for the others. */
const hiddenAnswers = new WeakMap<EtagResponse, Promise<EtagResponse>>()

function hideShared(
  answer: EtagResponse,
  hideOf: (value: unknown) => Promise<unknown>,
): Promise<EtagResponse> {
  const known = hiddenAnswers.get(answer)
  if (known) return known
  const built = hideOf(JSON.parse(answer.bytes.toString())).then(
    (value) => new EtagResponse(JSON.stringify(value)),
  )
  hiddenAnswers.set(answer, built)
  built.catch(() => hiddenAnswers.delete(answer))
  return built
}
