import type { RestorePlan } from '#shared/maintenance/restore-plan.ts'
import { counted, listed } from '#web/maintenance/words.ts'

type Links = NonNullable<RestorePlan['links']>[number]

const names = { companies: 'Empresas', contact_categories: 'Categorias' } as const

/** Of companies or categories that come back, what becomes of the contacts that were in them. */
export function linksText({ table, back, left }: Links, isOwn: boolean): string {
  const staying = counted(left, 'contato', 'contatos')
  // Those of another installation are not known to have had one.
  if (!isOwn) {
    const end = left === 1 ? 'fica como está' : 'ficam como estão'
    return `${names[table]} que chegam: ${staying} daqui ${end}.`
  }
  const parts = [
    back > 0 && `${counted(back, 'contato volta', 'contatos voltam')} a ter a sua`,
    left > 0 &&
      (left === 1
        ? `${staying} fica como está, pois mudou desde o backup`
        : `${staying} ficam como estão, pois mudaram desde o backup`),
  ]
  return `${names[table]} que voltam: ${listed(parts.filter((part) => part !== false))}.`
}
