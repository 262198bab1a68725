import { useQuery } from '@tanstack/react-query'
import { RadioGroup } from 'radix-ui'
import { useState } from 'react'
import { roleLabels } from '#shared/text/text.ts'
import { PresenceMark, userQueries } from '#web/users/users.tsx'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { conversationsText } from './conversations-text.ts'

/** Longer lists get a search field. */
const manyOperators = 8

/** The operators who can receive a conversation, with their presence and number of open conversations. */
export function Receivers({
  holderId,
  chosen,
  onChoose,
}: {
  /** The current holder, who is left out. */
  holderId: number | null
  chosen: string | undefined
  onChoose: (id: string) => void
}) {
  const { data, isError, refetch } = useQuery({ ...userQueries.operators(), staleTime: 0 })
  const [search, setSearch] = useState('')
  if (!data && isError)
    return (
      <ErrorState description="Não foi possível carregar os operadores." onRetry={() => void refetch()} />
    )
  if (!data) return <Skeleton className="h-44" />
  const others = data.filter(({ id }) => id !== holderId)
  const words = search.trim().toLocaleLowerCase('pt-BR')
  const shown = others.filter(({ name }) => name.toLocaleLowerCase('pt-BR').includes(words))
  return (
    <div className="grid gap-2">
      {others.length > manyOperators && (
        <SearchField value={search} onChange={setSearch} placeholder="Buscar operador..." />
      )}
      {shown.length === 0 && <EmptyState title="Nenhum operador encontrado" />}
      <RadioGroup.Root
        aria-label="Para quem"
        value={chosen ?? ''}
        onValueChange={onChoose}
        className="grid max-h-64 gap-0.5 overflow-y-auto"
      >
        {shown.map(({ id, name, role, presence, activeConversations }) => (
          <RadioGroup.Item
            key={id}
            value={String(id)}
            className={[
              'flex min-h-12 items-center gap-2.5 rounded-control px-2',
              'text-left hover:bg-hover data-[state=checked]:bg-selected',
            ].join(' ')}
          >
            <Avatar name={name} />
            <span className="min-w-0 flex-1">
              <span className="block truncate text-sm font-medium" title={name} dir="auto">
                {name}
              </span>
              <span className="block truncate text-xs text-ink-2">{roleLabels[role]}</span>
            </span>
            <span className="flex-none text-right text-xs text-ink-2">
              <PresenceMark state={presence} />
              <span className="block tabular-nums">{loadOf(activeConversations)}</span>
            </span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  )
}

function loadOf(count: number) {
  return count === 0 ? 'sem conversas' : conversationsText(count)
}
