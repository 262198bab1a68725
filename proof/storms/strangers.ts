import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import type { TwoInstances } from '../support/two-instances.ts'
import { untilQuiet } from '../support/two-instances.ts'
import { deliver } from './deliveries.ts'
import type { Effects } from './effects.ts'

/** The number of pictures in an album. */
const perAlbum = 10
/**
 * The ages of old messages, which arrive after an interruption of a month. Younger than two minutes is not
 * old.
 */
const ages = [180, 3600, 23 * 3600, 25 * 3600, 29 * 86_400]

function bodyOf(phone: string, id: string, ageSeconds: number): string {
  return JSON.stringify({
    event: 'messages.upsert',
    instance: 'loja1',
    data: {
      key: { remoteJid: `${phone}@s.whatsapp.net`, fromMe: false, id },
      pushName: `Estranho ${phone}`,
      message: { conversation: `foto ${id}` },
      messageType: 'conversation',
      messageTimestamp: Math.floor(Date.now() / 1000) - ageSeconds,
    },
  })
}

/**
 * Unknown people send their first ten messages at once, over both instances. Then as many old messages
 * arrive. Each person must be one contact with one conversation, and old messages must neither make a sound
 * nor be answered.
 */
export async function runStrangers(
  at: TwoInstances,
  { secret, random, strangers }: { secret: string; random: Random; strangers: number },
): Promise<Effects> {
  const phones = Array.from({ length: strangers }, (_, n) => `55218${String(n).padStart(8, '0')}`)
  const albums = phones.flatMap((phone) =>
    Array.from({ length: perAlbum }, (_, n) => bodyOf(phone, `ALBUM${phone}${n}`, 0)),
  )
  const inOrder = Uint32Array.from(albums, (_body, n) => n)
  await deliver(at.pools, { bodies: albums, secret, random, order: inOrder }, () => undefined)
  const stuck = await untilQuiet(at, { stuckAfterMs: 60_000 })
  const [made] = await rows<{ contacts: number; conversations: number; messages: number }>(
    at.database,
    sql`select count(distinct k.id)::int as contacts, count(distinct c.id)::int as conversations,
        count(m.id)::int as messages
          from contacts k join conversations c on c.contact_id = k.id join messages m
                on m.conversation_id = c.id
         where k.phone like '55218%'`,
  )
  const before = await soundsAndReplies(at)
  // Half of them from the same people, half from unknown ones.
  const old = albums.map((_body, n) => {
    const of = Math.floor(n / perAlbum)
    const phone = n % 2 === 0 ? (phones[of] ?? '') : `55219${String(of).padStart(8, '0')}`
    return bodyOf(phone, `OLD${n}`, ages[n % ages.length] ?? 0)
  })
  await deliver(at.pools, { bodies: old, secret, random, order: inOrder }, () => undefined)
  const stuckLater = await untilQuiet(at, { stuckAfterMs: 60_000 })
  const after = await soundsAndReplies(at)
  const [kept] = await rows<{ n: number }>(
    at.database,
    sql`select count(*)::int as n from messages where whatsapp_message_id like 'OLD%'`,
  )
  const figures = {
    strangers: made?.contacts ?? 0,
    conversations: made?.conversations ?? 0,
    pictures: made?.messages ?? 0,
    old: kept?.n ?? 0,
    'sounds of old ones': after.sounds - before.sounds,
    'replies to old ones': after.replies - before.replies,
  }
  const expected = [strangers, strangers, albums.length, old.length, 0, 0]
  const faults = Object.entries(figures).flatMap(([name, value], n) =>
    value === expected[n] ? [] : [`${name}: ${value} instead of ${expected[n]}`],
  )
  for (const reason of [stuck, stuckLater]) if (reason) faults.push(`stuck: ${reason}`)
  return { figures, faults }
}

async function soundsAndReplies(at: TwoInstances): Promise<{ sounds: number; replies: number }> {
  const [row] = await rows<{ sounds: number; replies: number }>(
    at.database,
    sql`select (select count(*)::int from events where type = 'new_conversation_with_sound') as sounds,
               (select count(*)::int from outbox) as replies`,
  )
  return row ?? { sounds: 0, replies: 0 }
}
