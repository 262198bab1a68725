import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ArchivedDetail, ArchivedStep } from '#shared/conversations/archive.ts'
import { isAutomaticEnd } from '#shared/text/conversations/reason-texts.ts'
import { priorityLabels, subStatusLabels } from '#shared/text/text.ts'
import { clockTime, dateTime, dayKey, shortDate } from '#web/platform/live/server-clock.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Stars } from '#web/ui/badges/stars.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import { numbersQuery } from '#web/numbers/numbers.tsx'
import { ReasonEntry, reasonQueries, useReasons } from '#web/reasons/reasons.tsx'
import { useSectorParts } from '#web/conversations/rows/use-sector-parts.ts'
import { TagsEntry } from '#web/conversations/selection/tags-entry.tsx'
import { useMe } from '#web/users/users.tsx'
import { archiveKeys } from './live.ts'
import { useNumberName } from './use-number-name.ts'

/** Rating, data and course of a conversation, beside its messages. */
export function ArchivedSide({ conversation }: { conversation: ArchivedDetail }) {
  const number = useNumberName(conversation.instanceId)
  const sectors = useSectorParts()
  const { areAny } = useReasons()
  const { hasSectors, hasTags } = useMe()
  const client = useQueryClient()
  const areRowsKnown = useKnownRows()
  // A row that came later would move what is below it.
  if (!areRowsKnown) return null
  const { rating, priority, subStatus, tags, notes, steps, endedBy } = conversation
  return (
    <div className="grid min-w-0 gap-4">
      {rating && (
        <Card title="Avaliação" actions={<Stars value={rating.serviceRating} />}>
          <div className="grid gap-1 p-4 text-sm">
            {rating.feedback && (
              <blockquote className="[overflow-wrap:anywhere]" dir="auto">
                “{rating.feedback}”
              </blockquote>
            )}
            <p className="text-xs text-ink-3">respondida {dateTime(rating.createdAt)}</p>
          </div>
        </Card>
      )}
      <Card title="Dados">
        <dl className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-3 gap-y-2 p-4 text-sm">
          {number !== undefined && (
            <Entry label="Número">
              <span className="wrap-anywhere">{number}</span>
            </Entry>
          )}
          {hasSectors && (
            <Entry label="Setor">
              {sectors ? <sectors.SectorBadge sectorId={conversation.sectorId} /> : '\u00a0'}
            </Entry>
          )}
          {areAny && (
            <Entry label="Motivo">
              <ReasonEntry
                conversation={conversation}
                automaticEnd={isAutomaticEnd(endedBy) ? endedBy : null}
                onChanged={() => void client.invalidateQueries({ queryKey: archiveKeys.all })}
              />
            </Entry>
          )}
          {hasTags && (
            <Entry label="Etiquetas">
              <TagsEntry
                conversation={conversation}
                onChanged={() => void client.invalidateQueries({ queryKey: archiveKeys.all })}
              />
            </Entry>
          )}
          <Entry label="Prioridade">
            <Badge tone={priority === 'high' ? 'red' : 'plain'}>{priorityLabels[priority]}</Badge>
          </Entry>
          <Entry label="Sub-status">
            <Badge tone="plain">{subStatusLabels[subStatus]}</Badge>
          </Entry>
          {tags.length > 0 && (
            <Entry label={hasTags ? 'Do contato' : 'Etiquetas'}>
              <span className="flex min-w-0 flex-wrap gap-1">
                {tags.map((tag) => (
                  <Badge key={tag} className="min-w-0">
                    <span className="truncate">{tag}</span>
                  </Badge>
                ))}
              </span>
            </Entry>
          )}
          <Entry label="Notas">
            {notes ? <RichText text={notes} /> : <span className="text-ink-3">Nenhuma nota</span>}
          </Entry>
        </dl>
      </Card>
      <Card title="Linha do tempo">
        <ol className="grid gap-2.5 p-4 text-sm">
          {steps.map((step, at) => {
            const before = steps[at - 1]
            const isNewDay = before !== undefined && dayKey(before.at) !== dayKey(step.at)
            return (
              <li key={`${step.kind}${step.at}`} className="grid grid-cols-[44px_minmax(0,1fr)] gap-x-2">
                {isNewDay && <span className="col-span-full text-xs text-ink-3">{shortDate(step.at)}</span>}
                <time dateTime={step.at} className="text-xs leading-5 text-ink-3 tabular-nums">
                  {clockTime(step.at)}
                </time>
                <span className="border-l border-line pl-3 [overflow-wrap:anywhere]" dir="auto">
                  {stepText(step, endedBy)}
                </span>
              </li>
            )
          })}
        </ol>
      </Card>
    </div>
  )
}

/** Whether what decides which rows there are has been fetched, or cannot be at the moment. */
function useKnownRows(): boolean {
  const numbers = useQuery(numbersQuery())
  const reasons = useQuery(reasonQueries.known())
  return !numbers.isLoading && !reasons.isLoading
}

function Entry({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{label}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}

const endings: Record<NonNullable<ArchivedDetail['endedBy']>, string> = {
  person: 'Finalizada',
  inactivity: 'Encerrada por inatividade',
  blocked: 'Encerrada com o bloqueio do contato',
  anonymized: 'Encerrada com a anonimização',
  history: 'Guardada como histórico',
}

function stepText({ kind, name, to }: ArchivedStep, endedBy: ArchivedDetail['endedBy']): string {
  const who = name ?? 'Balcão'
  switch (kind) {
    case 'started':
      return name === null ? 'Contato escreveu' : `${name} iniciou a conversa`
    case 'taken':
      return `${who} assumiu`
    case 'assigned':
      return `${who} atribuiu a ${to ?? 'outra pessoa'}`
    case 'distributed':
      return `Distribuída a ${to ?? 'um operador'}`
    case 'transferred':
      return `${who} transferiu a ${to ?? 'outra pessoa'}`
    case 'moved':
      return `${who} transferiu ao setor ${to ?? ''}`
    case 'returned':
      return `${who} devolveu à fila`
    case 'replied':
      return `Primeira resposta, de ${who}`
    case 'ended':
      return name === null ? endings[endedBy ?? 'person'] : `${name} finalizou`
    case 'rated':
      return 'Contato avaliou'
  }
}
