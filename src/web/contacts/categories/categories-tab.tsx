import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Tag, Trash2 } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import type { Category } from '#shared/contacts/managed-categories.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { CategoryBadge } from '#web/ui/badges/category-badge.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { CategoryForm } from './category-form.tsx'
import { managedCategories, useDeleteCategory } from './queries.ts'

/** What contacts are sorted into, with a form beside the list. @see specification §2 Categorias */
export function CategoriesTab() {
  const { data, error, isFetching, refetch } = useQuery(managedCategories())
  const [edited, setEdited] = useState<number | 'new'>()
  if (!data)
    return error ? (
      <ErrorState
        description="Failed to fetch contact categories"
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <ListSkeleton />
    )
  const category = data.find(({ id }) => id === edited)
  const isOpen = edited === 'new' || category !== undefined
  const create = (
    <Button icon={Plus} onClick={() => setEdited('new')}>
      Nova categoria
    </Button>
  )
  return (
    <div className="grid items-start gap-4 pt-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,390px)]">
      <Card
        title="Categorias"
        note={<span className="tabular-nums">{data.length}</span>}
        actions={data.length > 0 && create}
        className={isOpen ? '' : 'lg:col-span-2'}
      >
        {data.length === 0 ? (
          <EmptyState
            icon={Tag}
            title="Nenhuma categoria criada ainda"
            description="A categoria dá cor e prioridade ao contato."
            action={create}
          />
        ) : (
          <ul aria-label="Categorias">
            {data.map((each) => (
              <CategoryRow
                key={each.id}
                category={each}
                isChosen={each.id === edited}
                onEdit={() => setEdited(each.id)}
              />
            ))}
          </ul>
        )}
      </Card>
      {isOpen && (
        // Above the list on small screens, where it would not be seen below it.
        <div className="max-lg:order-first">
          <CategoryForm key={edited} category={category} onClose={() => setEdited(undefined)} />
        </div>
      )}
    </div>
  )
}

function CategoryRow({
  category,
  isChosen,
  onEdit,
}: {
  category: Category
  isChosen: boolean
  onEdit: () => void
}) {
  const { id, name, color, priority, description, isActive, contactCount } = category
  const { mutate, isPending } = useDeleteCategory()
  const remove = () => {
    if (!window.confirm('Tem certeza que deseja excluir esta categoria?')) return
    mutate(id, {
      onSuccess: () => toast({ tone: 'success', title: 'Categoria excluída com sucesso!' }),
      onError: (error) => {
        const message = error instanceof ApiError && error.userMessage
        toast({
          tone: 'error',
          title: 'Falha ao excluir categoria. Tente novamente.',
          ...(message && { description: message }),
        })
      },
    })
  }
  return (
    <li
      className={cn(
        'relative flex min-h-14 items-center gap-3 border-t border-line py-2 pr-2 pl-4 first:border-t-0',
        isChosen && 'bg-selected',
      )}
    >
      {isChosen && <i aria-hidden className="absolute inset-y-0 left-0 w-[3px] bg-accent" />}
      <i
        aria-hidden
        style={{ '--cat': color } as CSSProperties}
        className="cat-dot size-3 flex-none rounded-full"
      />
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-0.5">
          <h3 className="min-w-0 truncate font-medium" title={name} dir="auto">
            {name}
          </h3>
          <Badge tone={priority === 1 ? 'red' : 'neutral'}>{`Prioridade ${priority}`}</Badge>
          {!isActive && <Badge>Inativo</Badge>}
        </div>
        {description && (
          <p className="truncate text-sm text-ink-2" title={description} dir="auto">
            {description}
          </p>
        )}
      </div>
      <span className="flex-none text-sm whitespace-nowrap text-ink-2 tabular-nums max-md:hidden">
        {contactCount === 1 ? '1 contato' : `${contactCount.toLocaleString('pt-BR')} contatos`}
      </span>
      <CategoryBadge color={color} className="max-w-32 max-md:hidden">
        {name}
      </CategoryBadge>
      <span className="flex flex-none">
        <IconButton size="sm" label={`Editar ${name}`} icon={Pencil} onClick={onEdit} />
        <IconButton
          size="sm"
          tone="danger"
          label={`Excluir ${name}`}
          icon={Trash2}
          isBusy={isPending}
          onClick={remove}
        />
      </span>
    </li>
  )
}

function ListSkeleton() {
  return (
    <div role="status" aria-busy aria-label="Carregando" className="rounded-card border border-line">
      {Array.from({ length: 5 }, (_, at) => (
        <div key={at} className="flex h-14 items-center gap-3 border-t border-line px-4 first:border-t-0">
          <Skeleton isRound className="size-3" />
          <Skeleton className="w-40" />
          <Skeleton className="ml-auto w-24" />
        </div>
      ))}
    </div>
  )
}
