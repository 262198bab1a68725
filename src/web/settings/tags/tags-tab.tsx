import { useQuery } from '@tanstack/react-query'
import { Plus, Tag } from 'lucide-react'
import { useState } from 'react'
import type { ManagedTag } from '#shared/tags/managed-tags.ts'
import { AskSetting } from '#web/settings/fields/ask-at-end.tsx'
import { SettingsForm } from '#web/settings/form/settings-form.tsx'
import { Deletion } from '#web/platform/deletion.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { RowsSkeleton } from '#web/ui/states/rows-skeleton.tsx'
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

const deleted = {
  title: 'Excluir etiqueta',
  done: 'Etiqueta excluída',
  failed: 'A etiqueta não foi excluída',
}

type Asked = { act: 'add' } | { act: 'edit' | 'delete'; tag: ManagedTag }

function Tags() {
  const { data, error, isFetching, refetch } = useQuery(managedTags())
  const managesAll = useCan('manageAllTags')
  const deleting = useDeleteTag()
  const [asked, setAsked] = useState<Asked>()
  if (!data)
    return error ? (
      <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
    ) : (
      <RowsSkeleton className="mt-4" />
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
      {asked?.act === 'delete' && (
        <Deletion id={asked.tag.id} words={deleted} deleting={deleting} onClose={close}>
          Nenhuma conversa tem {asked.tag.name}, que deixa de existir.
        </Deletion>
      )}
    </div>
  )
}
