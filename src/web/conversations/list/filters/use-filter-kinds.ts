import { useQuery } from '@tanstack/react-query'
import {
  ChevronUp,
  CirclePause,
  Hourglass,
  Layers,
  type LucideIcon,
  Mail,
  Shapes,
  Smartphone,
  Tag,
  Timer,
  UserRound,
} from 'lucide-react'
import { priorities } from '#shared/conversations/conversations.ts'
import { categoryLabel, priorityLabels } from '#shared/text/text.ts'
import { type ListFilters, slaFilters, snoozedFilters } from '#shared/views/list-filters.ts'
import { contactQueries } from '#web/contacts/contacts.tsx'
import { useNumbers } from '#web/numbers/numbers.tsx'
import { useSectors } from '#web/sectors/sectors.tsx'
import { useTags } from '#web/tags/tags.tsx'
import { useCan, useMe, userQueries } from '#web/users/users.tsx'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { useHasSla } from './use-orders.ts'

export interface FilterOption {
  value: string
  label: string
}

/** A kind of filter: its row in the popover, its chip, and what can be chosen. */
export interface FilterKind {
  kind: keyof ListFilters
  title: string
  icon: LucideIcon
  /** 'Qualquer setor' */
  anything: string
  options: readonly FilterOption[]
  /** As the choice of it is; undefined: anything. */
  value: string | undefined
  /** What is chosen, in words; undefined: anything. */
  shown: string | undefined
  /** It names something that is there no longer. */
  isGone: boolean
  toFilter: (value: string | undefined) => ListFilters
}

const waits = [5, 10, 15, 30, 60, 120, 240]

/** 'há 15 min', 'há 2 h' */
const waitText = (minutes: number): string =>
  minutes % 60 === 0 ? `há ${minutes / 60} h` : `há ${minutes} min`

const byLabel = (a: FilterOption, b: FilterOption) => a.label.localeCompare(b.label, 'pt-BR')

/** The kinds of filters, each where there is something to choose from, or something is chosen. */
export function useFilterKinds(filters: ListFilters): FilterKind[] {
  const { living: numbers } = useNumbers()
  const sectors = useSectors()
  const tags = useTags()
  const people = usePeople()
  const hasSla = useHasSla()
  const categories = useQuery(contactQueries.categories()).data ?? []
  const idOf = (value: string) => (value === 'none' ? 'none' : Number(value))
  const kinds: (Omit<FilterKind, 'value' | 'shown' | 'isGone'> & { gone: string; isOffered?: boolean })[] = [
    {
      kind: 'sectorId',
      title: 'Setor',
      icon: Layers,
      anything: 'Qualquer setor',
      gone: 'setor excluído',
      isOffered: sectors.areAny,
      options: [
        ...sectors.living.map(({ id, name }) => ({ value: String(id), label: name })),
        { value: 'none', label: 'Sem setor' },
      ],
      toFilter: (value) => ({ sectorId: value === undefined ? undefined : idOf(value) }),
    },
    {
      kind: 'instanceId',
      title: 'Número',
      icon: Smartphone,
      anything: 'Qualquer número',
      gone: 'número que você não atende',
      isOffered: numbers.length > 1,
      options: numbers.map(({ id, name }) => ({ value: String(id), label: name })),
      toFilter: (value) => ({ instanceId: value === undefined ? undefined : Number(value) }),
    },
    {
      kind: 'personId',
      title: 'Pessoa',
      icon: UserRound,
      anything: 'Qualquer pessoa',
      gone: 'pessoa que não está mais aqui',
      options: [...people, { value: 'none', label: 'Sem operador' }],
      toFilter: (value) => ({ personId: value === undefined ? undefined : idOf(value) }),
    },
    {
      kind: 'category',
      title: 'Categoria',
      icon: Shapes,
      anything: 'Qualquer categoria',
      gone: 'categoria excluída',
      options: [
        { value: 'general', label: categoryLabel('general') },
        ...categories
          .filter(({ name }) => name.toLowerCase() !== 'general')
          .map(({ name }) => ({ value: name.toLowerCase(), label: categoryLabel(name) })),
      ],
      toFilter: (value) => ({ category: value }),
    },
    {
      kind: 'tagId',
      title: 'Etiqueta',
      icon: Tag,
      anything: 'Qualquer etiqueta',
      gone: 'etiqueta excluída',
      isOffered: tags.areAny,
      options: [
        ...tags.all.map(({ id, name, isActive }) => ({
          value: String(id),
          label: isActive ? name : `${name} (inativa)`,
        })),
        { value: 'none', label: 'Sem etiqueta' },
      ],
      toFilter: (value) => ({ tagId: value === undefined ? undefined : idOf(value) }),
    },
    {
      kind: 'priority',
      title: 'Prioridade',
      icon: ChevronUp,
      anything: 'Qualquer prioridade',
      gone: '',
      options: priorities
        .toReversed()
        .map((value) => ({ value, label: `Prioridade ${priorityLabels[value]}` })),
      toFilter: (value) => ({ priority: priorities.find((one) => one === value) }),
    },
    {
      kind: 'waitingMinutes',
      title: 'Espera',
      icon: Hourglass,
      anything: 'Qualquer espera',
      gone: '',
      options: [...new Set([...waits, filters.waitingMinutes ?? 5])]
        .toSorted((a, b) => a - b)
        .map((minutes) => ({ value: String(minutes), label: `Espera ${waitText(minutes)} ou mais` })),
      toFilter: (value) => ({ waitingMinutes: value === undefined ? undefined : Number(value) }),
    },
    {
      kind: 'unread',
      title: 'Não lidas',
      icon: Mail,
      anything: 'Lidas também',
      gone: '',
      options: [{ value: 'only', label: 'Só não lidas' }],
      toFilter: (value) => ({ unread: value === undefined ? undefined : 'only' }),
    },
    {
      kind: 'sla',
      title: 'Prazo (SLA)',
      icon: Timer,
      anything: 'Qualquer prazo',
      gone: '',
      isOffered: hasSla,
      options: [
        { value: 'near', label: 'SLA em risco' },
        { value: 'broken', label: 'SLA estourado' },
      ],
      toFilter: (value) => ({ sla: slaFilters.find((one) => one === value) }),
    },
    {
      kind: 'snoozed',
      title: 'Em espera',
      icon: CirclePause,
      anything: 'Sem as em espera',
      gone: '',
      options: [
        { value: 'only', label: 'Só em espera' },
        { value: 'too', label: 'Também em espera' },
      ],
      toFilter: (value) => ({ snoozed: snoozedFilters.find((one) => one === value) }),
    },
  ]
  return kinds
    .filter(({ kind, isOffered = true }) => isOffered || filters[kind] !== undefined)
    .map(({ gone, isOffered: _isOffered, ...rest }) => {
      const asked = filters[rest.kind]
      const value = asked === undefined ? undefined : String(asked).toLowerCase()
      const chosen = rest.options.find((one) => one.value === value)
      return {
        ...rest,
        value,
        shown: value === undefined ? undefined : (chosen?.label ?? gone),
        isGone: value !== undefined && chosen === undefined,
      }
    })
}

/** Who has open conversations, and who may get one. */
function usePeople(): FilterOption[] {
  const me = useMe()
  const { data: rows } = useQuery(conversationQueries.open())
  const { data: operators } = useQuery({ ...userQueries.operators(), enabled: useCan('transfer') })
  const names = new Map<number, string>([[me.id, `${me.name} (você)`]])
  for (const { id, name } of operators ?? []) if (id !== me.id) names.set(id, name)
  for (const { assignedUser } of rows ?? [])
    if (assignedUser && !names.has(assignedUser.id)) names.set(assignedUser.id, assignedUser.name)
  return [...names].map(([id, label]) => ({ value: String(id), label })).toSorted(byLabel)
}

/** What is chosen, in words: 'Financeiro, Só não lidas'. */
export const summaryOf = (kinds: readonly FilterKind[]): string =>
  kinds.flatMap(({ shown }) => shown ?? []).join(', ')
