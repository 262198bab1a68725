import type { OperatorPerformance } from '#shared/reports/report-parts.ts'
import { figureNames, operatorsHead } from '#shared/text/reports/report-texts.ts'

type Operator = OperatorPerformance['operators'][number]

const [name, total, active, completed, waiting, status] = operatorsHead

type ColumnName =
  | 'name'
  | 'total'
  | 'active'
  | 'completed'
  | 'waiting'
  | 'status'
  | 'firstReply'
  | 'handling'
  | 'rated'

export interface Column {
  by: ColumnName
  title: string
  /** What it counts, where its title does not say it. */
  hint?: string
}

/** The columns of the operators' table: those that the specification gives, and the ones added since. */
export const operatorColumns: readonly Column[] = [
  { by: 'name', title: name },
  { by: 'total', title: total },
  { by: 'active', title: active, hint: 'Ativas: abertas e com o operador, seja de quem for a vez.' },
  { by: 'completed', title: completed },
  { by: 'waiting', title: waiting, hint: 'Aguardando: das ativas, as que esperam o operador.' },
  { by: 'status', title: status, hint: 'Status: se a conta pode entrar, não se a pessoa está on-line.' },
  { by: 'firstReply', title: figureNames.first_reply },
  { by: 'handling', title: figureNames.handling },
  { by: 'rated', title: 'Nota' },
]

export interface Sorting {
  by: ColumnName
  isDescending: boolean
}

/** Operators in the order of a column; those without a value last, equal ones by name. */
export function sorted(
  operators: readonly Operator[],
  { by, isDescending }: Sorting,
  isByClock: boolean,
): Operator[] {
  const basis = isByClock ? 'clock' : 'open'
  const valueOf = (operator: Operator): number | null => {
    if (by === 'name') return 0
    if (by === 'status') return Number(operator.isActive)
    if (by === 'rated') return operator.rated.mean
    if (by === 'firstReply' || by === 'handling') return operator[by][basis].mean
    return operator[by]
  }
  const direction = isDescending ? -1 : 1
  const byName = (a: Operator, b: Operator) => a.name.localeCompare(b.name, 'pt-BR')
  return operators.toSorted((a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)]
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a, b)
    if (by === 'name') return direction * byName(a, b)
    return direction * (one - other) || byName(a, b)
  })
}
