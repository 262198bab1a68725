import { sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/db.ts'

/** The quick replies of the demonstration: of which sector or person, and how often they were sent. */
const replies = [
  {
    sector: 'Comercial',
    shortcut: 'prazo',
    uses: 212,
    text: 'O prazo é de 12 dias a partir da confirmação.',
  },
  {
    sector: 'Comercial',
    shortcut: 'orcamento',
    uses: 148,
    text: 'Seguem os valores, {{firstName}}. O orçamento vale por sete dias; para confirmar, responda aqui.',
  },
  {
    sector: 'Financeiro',
    shortcut: 'pix',
    uses: 96,
    text: 'Nossa chave Pix é o CNPJ. Assim que pagar, mande o comprovante por aqui, {{contact}}.',
  },
  {
    sector: 'Suporte',
    shortcut: 'troca',
    uses: 41,
    text: 'Para a troca, mande uma foto da peça e o número da nota fiscal. O protocolo é {{protocol}}.',
  },
  // Its voice is stored once there is a place for files.
  { sector: 'Suporte', shortcut: 'horario', uses: 7, text: '' },
  {
    owner: 'ana',
    shortcut: 'tchau',
    uses: 12,
    text: 'Qualquer coisa me chama por aqui. Um abraço, {{operator}}!',
  },
] as const

export async function demoRows(db: Db): Promise<void> {
  for (const reply of replies)
    await db.execute(sql`
      with made as (
        insert into quick_replies (owner_id, sector_id, shortcut, text)
        values ((select id from users where username = ${'owner' in reply ? reply.owner : null}),
                (select id from sectors where name = ${'sector' in reply ? reply.sector : null}),
                ${reply.shortcut}, ${reply.text})
        returning id)
      insert into quick_reply_uses (reply_id, uses) select id, ${reply.uses} from made`)
}
