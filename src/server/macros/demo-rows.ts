import { sql } from 'drizzle-orm'
import type { MacroStep } from '#shared/macros/steps.ts'
import { type Db, rows } from '#server/platform/database/db.ts'

type Named = Record<string, number | undefined>

/** The macros of the demonstration. */
export async function demoRows(db: Db): Promise<void> {
  const ids = async (table: string, name: string): Promise<Named> =>
    Object.fromEntries(
      (
        await rows<{ id: number; name: string }>(
          db,
          sql`select id, ${sql.raw(name)} as name from ${sql.raw(table)} order by id desc`,
        )
      ).map((row) => [row.name, row.id]),
    )
  const tags = await ids('conversation_tags', 'name')
  const sectors = await ids('sectors', 'name')
  const reasons = await ids('finish_reasons', 'path')
  const users = await ids('users', 'username')
  const categories = await ids('contact_categories', 'name')
  const reason = (part: string) =>
    Object.entries(reasons).find(([path]) => path.includes(part))?.[1] ?? Object.values(reasons)[0] ?? null
  const macros: [
    owner: string,
    name: string,
    shortcut: string,
    /** 'own', 'all', or the name of a sector. */
    whose: string,
    uses: number,
    steps: MacroStep[],
  ][] = [
    [
      'supervisora',
      'Pedido confirmado',
      'pedido',
      'Comercial',
      212,
      [
        { kind: 'text', text: 'Pedido {{protocol}} confirmado, {{firstName}}! Sai sexta das 8h às 11h.' },
        { kind: 'tag', tagId: tags['Amostra enviada'] ?? null },
        { kind: 'note', text: 'Separar e avisar quando sair.', mentions: [] },
        { kind: 'finalize', reasonId: reason('Comercial') },
      ],
    ],
    [
      'supervisora',
      'Cobrança gentil',
      'cob',
      'Financeiro',
      96,
      [
        {
          kind: 'text',
          text: 'Oi, {{firstName}}. O boleto de {{company}} venceu. Quer que eu mande a segunda via?',
        },
        { kind: 'tag', tagId: tags['Aguardando pagamento'] ?? null },
        { kind: 'snooze', time: 'tomorrow', reason: 'Conferir o pagamento' },
      ],
    ],
    [
      'supervisora',
      'Passar ao Suporte',
      'sup',
      'all',
      71,
      [
        { kind: 'text', text: 'Vou passar você ao nosso suporte, que já conhece o caso.' },
        { kind: 'priority', priority: 'high' },
        { kind: 'sector', sectorId: sectors['Suporte'] ?? null },
      ],
    ],
    [
      'supervisora',
      'Cliente urgente',
      'urg',
      'all',
      33,
      [
        { kind: 'tag', tagId: tags['Urgente'] ?? null },
        { kind: 'priority', priority: 'high' },
        { kind: 'category', categoryId: categories['vip'] ?? Object.values(categories)[0] ?? null },
        { kind: 'note', text: 'Cliente urgente: responder antes dos outros.', mentions: [] },
      ],
    ],
    [
      'ana',
      'Minha despedida',
      'tchau',
      'own',
      12,
      [
        { kind: 'text', text: 'Obrigada, {{firstName}}! Qualquer coisa é só chamar.' },
        { kind: 'finalize', reasonId: reason('') },
      ],
    ],
  ]
  for (const [owner, name, shortcut, whose, uses, steps] of macros)
    await db.execute(sql`
      insert into macros (owner_id, name, shortcut, is_shared, sector_id, steps, uses, last_used_at,
                          last_used_by_id)
      values (${users[owner] ?? 1}, ${name}, ${shortcut}, ${whose !== 'own'}, ${sectors[whose] ?? null},
              ${JSON.stringify(steps)}::jsonb, ${uses}, app_now() - interval '20 minutes',
              ${users['ana'] ?? null})`)
}
