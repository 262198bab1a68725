import { useQuery } from '@tanstack/react-query'
import { categoryLabel } from '#shared/text/text.ts'
import { companyQueries } from '#web/companies/companies.tsx'
import { useNumbers } from '#web/numbers/numbers.tsx'
import type { Subject } from '#web/reports/asked/use-report.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { userQueries } from '#web/users/users.tsx'

/** What a report is narrowed to, by the names that people know; undefined: not narrowed by it. */
export function useNarrowedTo({ operatorId, instanceId, sectorId, category, companyId, tag }: Subject) {
  const numbers = useNumbers()
  const sectors = useSectors()
  const operators = useQuery({ ...userQueries.operators(), enabled: operatorId !== undefined })
  const companies = useQuery({ ...companyQueries.options(), enabled: companyId !== undefined })
  // Who is gone, and what is not known yet, has a number.
  const named = (what: string, id: number | undefined, name: string | undefined) =>
    id === undefined ? undefined : (name ?? `${what} ${id}`)
  const nameIn = (list: readonly { id: number; name: string }[] | undefined, id: number | undefined) =>
    list?.find((one) => one.id === id)?.name
  return {
    operator: named('Operador', operatorId, nameIn(operators.data, operatorId)),
    number: named('Número', instanceId, numbers.find(instanceId)?.name),
    sector: named('Setor', sectorId, sectors.find(sectorId)?.name),
    category: category === undefined ? undefined : categoryLabel(category),
    company: named('Empresa', companyId, nameIn(companies.data, companyId)),
    tag,
  }
}
