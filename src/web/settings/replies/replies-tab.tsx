import { useQuery } from '@tanstack/react-query'
import { MessageSquareQuote, Plus, Upload } from 'lucide-react'
import { useState } from 'react'
import type { OwnedReply } from '#shared/quick-replies/quick-replies.ts'
import { fold } from '#shared/text/fold.ts'
import { Deletion } from '#web/platform/deletion.tsx'
import { replyQueries } from '#web/quick-replies/quick-replies.tsx'
import { useSectors } from '#web/sectors/sectors.tsx'
import { SettingsForm } from '#web/settings/form/settings-form.tsx'
import { QuickResponses } from '#web/settings/messages/quick-responses.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { RowsSkeleton } from '#web/ui/states/rows-skeleton.tsx'
import { useCan } from '#web/users/users.tsx'
import { ImportDialog } from '#web/settings/replies/import/import-dialog.tsx'
import { useDeleteReply } from './mutations.ts'
import { ReplyDialog } from './reply-dialog.tsx'
import { ReplyRow } from './reply-row.tsx'

const words = {
  saved: 'Configurações de mensagens salvas com sucesso!',
  failed: (message: string) => `Falha ao salvar configurações: ${message}`,
}

/** The person's own quick replies and those of their sectors; for administrators also the general ones. */
export function RepliesTab() {
  const isAdvanced = useCan('openAdvancedSettings')
  return (
    <>
      <Replies />
      {isAdvanced && (
        <SettingsForm keys={['quickResponses']} words={words}>
          <SettingsSection
            title="Respostas rápidas gerais"
            description={
              'De toda a equipe. O operador digita / no chat e escolhe pelo atalho. As mais usadas vêm ' +
              'primeiro; as outras, nesta ordem.'
            }
            isLast
          >
            <QuickResponses />
          </SettingsSection>
        </SettingsForm>
      )}
    </>
  )
}

const deleted = {
  title: 'Excluir resposta rápida',
  done: 'Resposta rápida excluída',
  failed: 'A resposta não foi excluída',
}

type Asked = { act: 'add' | 'import' } | { act: 'edit' | 'delete'; reply: OwnedReply }

/** From so many on there is a search. */
const searchedFrom = 8

function Replies() {
  const { data, error, isFetching, refetch } = useQuery(replyQueries.known())
  const { areAny, find } = useSectors()
  const deleting = useDeleteReply()
  const [asked, setAsked] = useState<Asked>()
  const [typed, setTyped] = useState('')
  const [scope, setScope] = useState('all')
  if (!data)
    return error ? (
      <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
    ) : (
      <RowsSkeleton className="mt-4" />
    )
  const close = () => setAsked(undefined)
  const replies = data.replies.toSorted((a, b) => b.uses - a.uses)
  const sectorIds = [...new Set(replies.flatMap(({ sectorId }) => sectorId ?? []))]
  const isScoped = sectorIds.length > 0
  const words = fold(typed)
  const shown = replies.filter(
    ({ shortcut, text, sectorId }) =>
      (!isScoped || scope === 'all' || scope === String(sectorId ?? 'own')) &&
      fold(`${shortcut} ${text}`).includes(words),
  )
  const create = (
    <Button icon={Plus} onClick={() => setAsked({ act: 'add' })}>
      Nova resposta
    </Button>
  )
  return (
    <div className="pt-4">
      <Card
        title="Respostas rápidas"
        note={<span className="tabular-nums">{replies.length}</span>}
        actions={
          <>
            <Button variant="ghost" icon={Upload} onClick={() => setAsked({ act: 'import' })}>
              <span className="max-md:sr-only">Importar</span>
            </Button>
            {replies.length > 0 && create}
          </>
        }
      >
        {replies.length === 0 ? (
          <EmptyState
            icon={MessageSquareQuote}
            title="Nenhuma resposta sua ainda"
            description="O que você escreve toda hora fica a um atalho: digite / no chat."
            action={create}
          />
        ) : (
          <>
            {(isScoped || replies.length >= searchedFrom) && (
              <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
                <SearchField
                  value={typed}
                  onChange={setTyped}
                  placeholder="Buscar resposta..."
                  className="min-w-40 flex-1"
                />
                {isScoped && (
                  <Select
                    aria-label="Quem usa"
                    fieldSize="bar"
                    value={scope}
                    onChange={setScope}
                    options={[
                      { value: 'all', label: 'Todas' },
                      { value: 'own', label: 'Só eu' },
                      ...sectorIds.map((id) => ({
                        value: String(id),
                        label: find(id)?.name ?? 'Setor excluído',
                      })),
                    ]}
                  />
                )}
              </div>
            )}
            <ul aria-label="Respostas rápidas">
              {shown.map((reply) => (
                <li key={reply.id} className="border-t border-line first:border-t-0">
                  <ReplyRow
                    reply={reply}
                    showsScope={areAny}
                    onEdit={() => setAsked({ act: 'edit', reply })}
                    onDelete={() => setAsked({ act: 'delete', reply })}
                  />
                </li>
              ))}
            </ul>
            {shown.length === 0 && (
              <p role="status" className="px-4 py-3 text-sm text-ink-2">
                Nenhuma resposta encontrada
              </p>
            )}
          </>
        )}
      </Card>
      {asked?.act === 'add' && <ReplyDialog onClose={close} />}
      {asked?.act === 'import' && <ImportDialog known={replies} onClose={close} />}
      {asked?.act === 'edit' && <ReplyDialog reply={asked.reply} onClose={close} />}
      {asked?.act === 'delete' && (
        <Deletion id={asked.reply.id} words={deleted} deleting={deleting} onClose={close}>
          /{asked.reply.shortcut} deixa de existir
          {asked.reply.sectorId === null ? '.' : ' para todo o setor.'}
        </Deletion>
      )}
    </div>
  )
}
