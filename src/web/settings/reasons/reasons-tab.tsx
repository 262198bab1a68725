import { useQuery } from '@tanstack/react-query'
import { Flag, Plus } from 'lucide-react'
import { useState } from 'react'
import { automaticEnds, automaticReasons } from '#shared/text/conversations/reason-texts.ts'
import type { ManagedReason } from '#shared/reasons/managed-reasons.ts'
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
import { managedReasons, useDeleteReason } from './queries.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { ReasonList } from './reason-list.tsx'

const words = {
  saved: 'Configuração salva com sucesso!',
  failed: (message: string) => `Falha ao salvar configuração: ${message}`,
}

const deleted = {
  title: 'Excluir motivo',
  done: 'Motivo excluído',
  failed: 'O motivo não foi excluído',
}

type Asked =
  | { act: 'add'; parent: ManagedReason | undefined }
  | { act: 'edit' | 'delete'; reason: ManagedReason }

/** With what conversations end, and whether whoever finalizes is asked. */
export function ReasonsTab() {
  const mayView = useCan('viewSettings')
  return (
    <>
      <Reasons />
      {mayView && (
        <SettingsForm keys={['askReason']} words={words}>
          <SettingsSection
            title="Ao finalizar"
            description={
              'Vale em toda a instalação; um número e um setor podem ter o seu. Sem motivo para escolher, ' +
              'ninguém é perguntado.'
            }
            isLast
          >
            <AskSetting name="askReason" />
          </SettingsSection>
        </SettingsForm>
      )}
    </>
  )
}

function Reasons() {
  const { data, error, isFetching, refetch } = useQuery(managedReasons())
  const deleting = useDeleteReason()
  const [asked, setAsked] = useState<Asked>()
  if (!data)
    return error ? (
      <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
    ) : (
      <RowsSkeleton className="mt-4" />
    )
  const close = () => setAsked(undefined)
  const create = (
    <Button icon={Plus} onClick={() => setAsked({ act: 'add', parent: undefined })}>
      Novo motivo
    </Button>
  )
  return (
    <div className="pt-4">
      <Card
        title="Motivos de finalização"
        note={<span className="tabular-nums">{data.length}</span>}
        actions={data.length > 0 && create}
      >
        {data.length === 0 ? (
          <EmptyState
            icon={Flag}
            title="Nenhum motivo criado ainda"
            description="Com o primeiro, quem finaliza é perguntado por quê, e os relatórios contam."
            action={create}
          />
        ) : (
          <>
            <ReasonList
              reasons={data}
              onEdit={(reason) => setAsked({ act: 'edit', reason })}
              onAdd={(parent) => setAsked({ act: 'add', parent })}
              onDelete={(reason) => setAsked({ act: 'delete', reason })}
            />
            <p className="border-t border-line bg-sunken px-3.5 py-2 text-xs text-ink-2">
              O que termina sozinho tem motivos próprios:{' '}
              {automaticEnds.map((end) => automaticReasons[end]).join(', ')}.
              <span className="max-md:hidden"> Arraste para mudar a ordem, ou use Alt e as setas.</span>
            </p>
          </>
        )}
      </Card>
      {asked?.act === 'add' && <ReasonDialog reason={undefined} parent={asked.parent} onClose={close} />}
      {asked?.act === 'edit' && (
        <ReasonDialog
          reason={asked.reason}
          parent={data.find(({ id }) => id === asked.reason.parentId)}
          onClose={close}
        />
      )}
      {asked?.act === 'delete' && (
        <Deletion id={asked.reason.id} words={deleted} deleting={deleting} onClose={close}>
          {asked.reason.name} nunca foi usado, e deixa de existir.
        </Deletion>
      )}
    </div>
  )
}
