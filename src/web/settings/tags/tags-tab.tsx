import { useQuery } from '@tanstack/react-query'
import { Plus, Tag } from 'lucide-react'
import { useState } from 'react'
import type { ManagedTag } from '#shared/tags/managed-tags.ts'
import { reasonOf } from '#web/platform/api/api.ts'
import { AskSetting } from '#web/settings/fields/ask-at-end.tsx'
import { SettingsForm } from '#web/settings/form/settings-form.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useCan } from '#web/users/users.tsx'
import { managedTags, useDeleteTag } from './queries.ts'
import { TagDialog } from './tag-dialog.tsx'
import { TagList } from './tag-list.tsx'

const words = {
  saved: 'Configuração salva com sucesso!',
  failed: (message: string) => `Falha ao salvar configuração: ${message}`,
}

/** What conversations are tagged with, and whether whoever finalizes is asked. */
export function TagsTab() {
  const mayView = useCan('viewSettings')
  return (
    <>
      <Tags />
      {mayView && (
        <SettingsForm keys={['askTag']} words={words}>
          <SettingsSection
            title="Etiqueta ao finalizar"
            description={
              'Vale em toda a instalação; um número e um setor podem ter o seu. A conversa que já tem ' +
              'etiqueta termina sem pergunta.'
            }
            isLast
          >
            <AskSetting name="askTag" />
          </SettingsSection>
        </SettingsForm>
      )}
    </>
  )
}

type Asked = { act: 'add' } | { act: 'edit' | 'delete'; tag: ManagedTag }

function Tags() {
  const { data, error, isFetching, refetch } = useQuery(managedTags())
  const managesAll = useCan('manageAllTags')
  const [asked, setAsked] = useState<Asked>()
  if (!data)
    return error ? (
      <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
    ) : (
      <Loading />
    )
  const close = () => setAsked(undefined)
  const create = (
    <Button icon={Plus} onClick={() => setAsked({ act: 'add' })}>
      Nova etiqueta
    </Button>
  )
  return (
    <div className="pt-4">
      <Card
        title="Etiquetas de conversas"
        note={<span className="tabular-nums">{data.length}</span>}
        actions={data.length > 0 && create}
      >
        {data.length === 0 ? (
          <EmptyState
            icon={Tag}
            title="Nenhuma etiqueta criada ainda"
            description="Com a primeira, a equipe marca conversas, filtra a lista, e os relatórios contam."
            action={create}
          />
        ) : (
          <>
            <TagList
              tags={data}
              onEdit={(tag) => setAsked({ act: 'edit', tag })}
              onDelete={(tag) => setAsked({ act: 'delete', tag })}
            />
            <p className="border-t border-line bg-sunken px-3.5 py-2 text-xs text-ink-2">
              {managesAll
                ? 'Uma etiqueta usada se desativa: as conversas a mantêm.'
                : 'Você muda as etiquetas dos setores pelos quais é responsável.'}
              {managesAll && (
                <span className="max-md:hidden"> Arraste para mudar a ordem, ou use Alt e as setas.</span>
              )}
            </p>
          </>
        )}
      </Card>
      {asked?.act === 'add' && <TagDialog tag={undefined} onClose={close} />}
      {asked?.act === 'edit' && <TagDialog tag={asked.tag} onClose={close} />}
      {asked?.act === 'delete' && <Deletion tag={asked.tag} onClose={close} />}
    </div>
  )
}

function Deletion({ tag: { id, name }, onClose }: { tag: ManagedTag; onClose: () => void }) {
  const { mutate, isPending } = useDeleteTag()
  const remove = () =>
    mutate(id, {
      onSuccess: () => {
        onClose()
        toast({ tone: 'success', title: 'Etiqueta excluída' })
      },
      onError: (error) => {
        onClose()
        toast({ tone: 'error', title: `A etiqueta não foi excluída: ${reasonOf(error)}` })
      },
    })
  return (
    <DeleteDialog title="Excluir etiqueta" isDeleting={isPending} onDelete={remove} onClose={onClose}>
      Nenhuma conversa tem {name}, que deixa de existir.
    </DeleteDialog>
  )
}

function Loading() {
  return (
    <div role="status" aria-busy aria-label="Carregando" className="mt-4 rounded-card border border-line">
      {Array.from({ length: 5 }, (_, at) => (
        <div key={at} className="flex h-11 items-center gap-3 border-t border-line px-4 first:border-t-0">
          <Skeleton className="w-32" />
          <Skeleton className="ml-auto w-24" />
        </div>
      ))}
    </div>
  )
}
