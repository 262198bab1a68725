import { sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/db.ts'

/** The tags of the demonstration; of a sector, where one is named. */
const tags = [
  ['Urgente', '#db2777', null, true],
  ['Aguardando pagamento', '#ca8a04', 'Financeiro', true],
  ['Cliente novo', '#16a34a', null, true],
  ['Retornar depois do feriado de fim de ano', '#2563eb', null, true],
  ['Troca', '#ea580c', 'Suporte', true],
  ['Amostra enviada', '#9333ea', 'Comercial', true],
  ['Páscoa 2026', '#64748b', null, false],
] as const

/** The tags of open conversations, by whose they are. */
const tagged = [
  ['José Antônio Guimarães Sobrinho', ['Aguardando pagamento', 'Urgente']],
  ['Maria Aparecida de Albuquerque Cavalcanti', ['Urgente']],
  ['Thaís Conceição', ['Troca', 'Urgente', 'Retornar depois do feriado de fim de ano']],
] as const

/** The tags, and the conversations that have them. */
export async function demoRows(db: Db): Promise<void> {
  for (const [place, [name, color, sector, isActive]] of tags.entries())
    await db.execute(sql`
      insert into conversation_tags (name, color, sector_id, place, is_active)
      values (${name}, ${color}, (select id from sectors where name = ${sector}), ${place}, ${isActive})`)
  for (const [contact, names] of tagged)
    await db.execute(sql`
      update conversations v set tag_ids = array(
               select t.id from conversation_tags t
                where t.name = any(${sql.param(names)}::text[]) order by t.id)
        from contacts c
       where c.id = v.contact_id and c.name = ${contact} and v.status <> 'completed'`)
  // Of the completed ones some of each: by their ids, so that two installations are alike.
  await db.execute(sql`
    update conversations v set tag_ids = array[t.id]
      from conversation_tags t
     where v.status = 'completed' and t.sector_id is null and v.id % 17 = t.place
        or v.status = 'completed' and t.sector_id = v.sector_id and v.id % 6 = 1 and not v.is_history`)
}
